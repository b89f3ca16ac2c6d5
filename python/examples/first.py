import cairn

scene = cairn.Scene()
stone = scene.add_material(cairn.Material(name="stone", density=1000, friction=0.6))
scene.add_body(cairn.Body(name="floor", type="static", shapes=[cairn.Shape(cairn.Plane(), material=stone)]))
for i in range(10):  # unit boxes on top of each other
    scene.add_body(cairn.Body(name=f"box{i}", position=(0, 0, 0.5 + i), shapes=[cairn.Shape(cairn.Box(), material=stone)]))
world = cairn.World(scene)
for _ in range(600):  # 10 s
    world.step()
top = world.state(world.bodies()[-1])
print(f"The top box is at {top.position[2]:.2f} m and rests on {world.report().manifolds} contacts below it.")
