"""Runs inside Pyodide: writes a `.pyc` beside every `.py` of the trees that `request` names.

`request` is JSON: the name of each folder under /trees, and the path that its files will have in the page.
Tracebacks show that path. The compiled files never look for their source, which is not there: so their
validity is not checked when they are imported.
"""

import json
import os
import py_compile

problems = []
for tree, prefix in json.loads(request).items():  # noqa: F821 - set by compile.mjs
    root = f"/trees/{tree}"
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".py"):
                path = f"{folder}/{name}"
                try:
                    py_compile.compile(
                        path,
                        cfile=path + "c",
                        dfile=prefix + os.path.relpath(path, root),
                        doraise=True,
                        optimize=0,
                        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
                    )
                except py_compile.PyCompileError as problem:
                    problems.append(problem.msg)
"\n".join(problems)  # the value of this program
