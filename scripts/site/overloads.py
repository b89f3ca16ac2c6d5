"""An extension of Griffe: calls whose stub has overloads alone are members like others, with what each overload says."""

from typing import Any

import griffe


class Overloads(griffe.Extension):
    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        self.complete(cls)

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        self.complete(mod)

    def complete(self, owner: griffe.Class | griffe.Module) -> None:
        for name, overloads in owner.overloads.items():
            if name in owner.members or not overloads:
                continue
            call = griffe.Function(
                name,
                parameters=overloads[0].parameters,
                returns=overloads[0].returns,
                lineno=overloads[0].lineno,
                endlineno=overloads[-1].endlineno,
            )
            call.overloads = list(overloads)
            said = [overload.docstring.value for overload in overloads if overload.docstring]
            if said:
                call.docstring = griffe.Docstring("\n\n".join(said), parent=call)
            owner.set_member(name, call)
