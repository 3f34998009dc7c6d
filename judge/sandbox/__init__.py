"""The walls: limits, bubblewrap, and the zygote that forks an examinee per request.

`Sandbox` is what the supervisor uses. The zygote holds Python and the libraries, and nothing secret.
"""
