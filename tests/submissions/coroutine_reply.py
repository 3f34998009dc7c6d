# /// expect
# verdicts = ["wrong"]
# message_of_test = "coroutine"
# ///
async def double(value):
    return value * 2
