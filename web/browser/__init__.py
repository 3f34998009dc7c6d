"""What runs inside the page: the stand-ins, the runtime, their build, and the same under Node."""
