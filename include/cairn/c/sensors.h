#pragma once
// Sensors (cairn/sensors.h, docs/sensors.md): measurements for robots and learning in all worlds, as arrays by world.

#include "cairn/c/arrays.h"
#include "cairn/c/joint.h"
#include "cairn/c/world.h"

/// A frame on a body or link. It will not grow.
typedef struct cairn_site {
  uint32_t body;         ///< [1] index (cairn_body_index), or CAIRN_WORLD_BODY
  double position[3];    ///< [m] in the body's own frame
  float orientation[4];  ///< [1] site to body, any but zero
} cairn_site;

typedef enum cairn_velocity_axes { CAIRN_AXES_OF_REFERENCE = 0, CAIRN_AXES_OF_SITE = 1 } cairn_velocity_axes;
/// Axes of a scan's rays.
typedef enum cairn_ray_axes {
  CAIRN_RAYS_WITH_SITE = 0,
  CAIRN_RAYS_WITH_YAW = 1,  ///< turn with the site's yaw, about the world's z axis
  CAIRN_RAYS_OF_WORLD = 2   ///< those of the world
} cairn_ray_axes;

/// Ranges and defaults of all sensors are those of cairn/sensor_set.h. Default sites and references: the world.
typedef struct cairn_frame_sensor {
  uint32_t struct_size;   ///< [B]
  cairn_site site;        ///< whose pose and velocity it reads
  cairn_site reference;   ///< the frame of its readings
  int32_t velocity_axes;  ///< cairn_velocity_axes
} cairn_frame_sensor;
CAIRN_API void cairn_frame_sensor_init(cairn_frame_sensor* sensor, size_t size);

typedef struct cairn_imu_sensor {
  uint32_t struct_size;  ///< [B]
  cairn_site site;       ///< of the accelerometer and gyroscope
} cairn_imu_sensor;
CAIRN_API void cairn_imu_sensor_init(cairn_imu_sensor* sensor, size_t size);

typedef struct cairn_contact_sensor {
  uint32_t struct_size;  ///< [B]
  uint32_t body;         ///< [1] index, of the body whose contacts they are
  int32_t has_other;     ///< [1] 1: only those with `other`
  uint32_t other;        ///< [1] index
} cairn_contact_sensor;
CAIRN_API void cairn_contact_sensor_init(cairn_contact_sensor* sensor, size_t size);

typedef struct cairn_joint_sensor {
  uint32_t struct_size;   ///< [B]
  uint32_t articulation;  ///< [1] by its place among cairn_world_articulations
  uint32_t link;          ///< [1] of the joint
} cairn_joint_sensor;
CAIRN_API void cairn_joint_sensor_init(cairn_joint_sensor* sensor, size_t size);

/// As many rays as origins or directions; a single origin or direction serves all rays.
typedef struct cairn_ray_scan {
  uint32_t struct_size;      ///< [B]
  cairn_site site;           ///< where rays begin
  const float* origins;      ///< [m] (origin_count, 3) from the site, in `axes`; null with a count of 0: at the site
  uint32_t origin_count;     ///< [1]
  const float* directions;   ///< [1] (direction_count, 3) any length but 0; null with a count of 0: one along -z
  uint32_t direction_count;  ///< [1]
  int32_t axes;              ///< cairn_ray_axes
  float range;               ///< [m]
  uint32_t category;         ///< [1] finds shapes that a shape with this filter would touch, like the next two
  uint32_t mask;             ///< [1]
  int32_t group;             ///< [1]
  int32_t sensors;           ///< [1] 1: finds shapes that are sensors, too
  int32_t own_body;          ///< [1] 1: finds the body of the site, too
} cairn_ray_scan;
CAIRN_API void cairn_ray_scan_init(cairn_ray_scan* scan, size_t size);

/// It looks along -z of its site; x is right and y is up.
typedef struct cairn_camera_sensor {
  uint32_t struct_size;  ///< [B]
  cairn_site site;       ///< of the pinhole
  uint32_t width;        ///< [1] pixels
  uint32_t height;       ///< [1] pixels
  float field_of_view;   ///< [deg] from the lower edge to the upper
  float range;           ///< [m] along the axis
  uint32_t category;     ///< [1] as that of cairn_ray_scan, like the next four
  uint32_t mask;         ///< [1]
  int32_t group;         ///< [1]
  int32_t sensors;       ///< [1]
  int32_t own_body;      ///< [1]
} cairn_camera_sensor;
CAIRN_API void cairn_camera_sensor_init(cairn_camera_sensor* sensor, size_t size);

/// Sensors of a world; a batch has them in each of its worlds.
typedef struct cairn_sensor_set {
  uint32_t struct_size;                  ///< [B]
  const cairn_frame_sensor* frames;      ///< (frame_count)
  uint32_t frame_count;                  ///< [1]
  const cairn_imu_sensor* imus;          ///< (imu_count)
  uint32_t imu_count;                    ///< [1]
  const cairn_contact_sensor* contacts;  ///< (contact_count)
  uint32_t contact_count;                ///< [1]
  const cairn_joint_sensor* joints;      ///< (joint_count)
  uint32_t joint_count;                  ///< [1]
  const cairn_ray_scan* scans;           ///< (scan_count)
  uint32_t scan_count;                   ///< [1]
  const cairn_camera_sensor* cameras;    ///< (camera_count)
  uint32_t camera_count;                 ///< [1]
} cairn_sensor_set;
/// None.
CAIRN_API void cairn_sensor_set_init(cairn_sensor_set* set, size_t size);

/// They only read: no bit of the simulation depends on them. They keep the world's memory, as tensors do, and are of
/// the world's thread.
typedef struct cairn_sensors cairn_sensors;
CAIRN_API cairn_result cairn_sensors_create(cairn_world* world, const cairn_sensor_set* set, cairn_sensors** sensors);
CAIRN_API void cairn_sensors_destroy(cairn_sensors* sensors);
/// Reads all of them at the present states. An IMU reads the mean since the update before, so call it after each step.
/// Enqueued, like a step.
CAIRN_API cairn_result cairn_sensors_update(cairn_sensors* sensors);
/// Readings on the world's device, by index or by name: "frame_pose", "imu", "scan0_distance", ... (docs/sensors.md).
/// Their addresses stay until the sensors are destroyed.
CAIRN_API cairn_result cairn_sensors_array_count(const cairn_sensors* sensors, uint32_t* count);
CAIRN_API cairn_result cairn_sensors_array_at(const cairn_sensors* sensors, uint32_t index, cairn_array* array);
CAIRN_API cairn_result cairn_sensors_array(const cairn_sensors* sensors, const char* name, cairn_array* array);
