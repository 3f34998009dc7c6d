"""The one seam to the world's threads: a lock, bells to wait on, a clock, an alarm, descriptors.

Everything else of this package waits through these names only. In a page they are those of
`minisgl_page.waiting`, with the same behaviour on the page's fibers.
"""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from minisgl_page.waiting import Alarm, Beacon, Bell, lock, now
else:
    from .system_waiting import Alarm, Beacon, Bell, lock, now

__all__ = ["Alarm", "Beacon", "Bell", "lock", "now"]
