# /// attack
# kind = "forging"
# exercise = "ch1/double"
# verdicts = ["crashed"]
# reason = "Ends with the code that the sandbox uses for its own failures; after the greeting it means nothing."
# ///
import os

os.write(2, b"the sandbox failed: OSError(28, 'No space left on device')\n")
os._exit(97)
