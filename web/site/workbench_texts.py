"""The words of the exercise page's code, in both languages; it gets them inside the page.

`EDITOR_PHRASES` translate what the editor library says itself.
"""

from __future__ import annotations

from judge.texts import Language, Text
from web.site.texts import VERDICTS

WORKBENCH = {
    "toolbar": Text("Actions", "操作"),
    "run": Text("Run", "运行"),
    "run_title": Text("Run the example tests in the page", "在网页里运行示例测试"),
    "stop": Text("Stop", "停止"),
    "stop_title": Text("Stop what is running", "停止正在运行的程序"),
    "submit": Text("Submit", "提交"),
    "submit_title": Text("Have the real judge grade it", "交给真正的评测程序"),
    "run_file": Text("Run file", "运行文件"),
    "run_file_title": Text(
        "Run the code as a program and show what it prints", "把代码当作程序运行，显示它的输出"
    ),
    "reset": Text("Reset", "重置"),
    "reset_title": Text("Begin again from the stub", "恢复成最初的代码"),
    "download": Text("Download", "下载"),
    "download_title": Text("Save the code as a file", "把代码保存为文件"),
    "undo": Text("Undo", "撤销"),
    "close": Text("Close", "关闭"),
    "editor_label": Text("Your Python code", "你的 Python 代码"),
    "editor_leave": Text(
        "Tab indents. To leave the editor, press Escape, then Tab.",
        "Tab 键用来缩进。要离开编辑器，先按 Esc，再按 Tab。",
    ),
    "python_starting": Text("Python: {percent} %", "Python：{percent} %"),
    "python_progress": Text("Preparation of Python", "Python 的准备进度"),
    "python_ready": Text("Python is ready", "Python 已就绪"),
    "python_broken": Text("Python did not start", "Python 未能启动"),
    "python_not_loaded": Text(
        "Python could not be loaded. This did not arrive, or not whole: {files}.",
        "无法载入 Python。以下文件没有收到，或者不完整：{files}。",
    ),
    "python_moved": Text(
        "This site was updated while the page was open. Load the page again; your code is kept.",
        "页面打开期间，网站更新了。请重新载入页面，你的代码不会丢。",
    ),
    "python_not_started": Text("Python did not start. {reason}", "Python 未能启动。{reason}"),
    "python_still_works": Text(
        "Nothing runs in the page without it. Writing and submitting work as always.",
        "没有它，网页里什么也不能运行。写代码和提交照常可用。",
    ),
    "try_again": Text("Try again", "重试"),
    "reload_page": Text("Load the page again", "重新载入页面"),
    "python_broke": Text(
        "Python in the page broke; Run starts it anew. You can also submit. {reason}",
        "网页里的 Python 出了故障，按“运行”会重新启动它。也可以直接提交。{reason}",
    ),
    "run_overdue": Text(
        "Your code ran for more than {seconds} s and nothing could interrupt it.",
        "你的代码运行了 {seconds} 秒以上，怎么也打断不了。",
    ),
    "panel_label": Text("Results and help", "结果与帮助"),
    "tab_results": Text("Results", "结果"),
    "tab_hints": Text("Hints", "提示"),
    "tab_history": Text("History", "历史"),
    "tab_solution": Text("Solution", "参考答案"),
    "results_closed": Text("Not open yet; the task says why.", "还没有开放，原因写在题目上方。"),
    "results_empty": Text("Run the example tests, or submit.", "运行示例测试，或者提交。"),
    "place_page": Text(
        "In the page: stand-ins for libzmq and torch. A submission runs on the real ones.",
        "在网页里：libzmq 和 torch 由替代品充当。提交之后用的是真正的 libzmq 和 torch。",
    ),
    "place_judge": Text(
        "By the judge: real torch, msgpack and ZMQ.",
        "由评测程序运行：真正的 torch、msgpack 和 ZMQ。",
    ),
    "no_shared_memory": Text(
        "This browser shares no memory with the page's Python. Run works; Stop has to start Python anew.",
        "这个浏览器不能与网页里的 Python 共享内存。可以运行；但每次停止都要重新启动 Python。",
    ),
    "no_stack_switching": Text(
        "This browser cannot switch WebAssembly stacks (JSPI), so code that waits for a message or a "
        "thread cannot run in the page. Everything else can, and Submit works as always.",
        "这个浏览器不支持 WebAssembly 栈切换（JSPI），因此等待消息或线程的代码不能在网页里运行。"
        "其余的都可以运行，提交也照常可用。",
    ),
    "phase_preparing": Text("Waiting for Python …", "正在等待 Python……"),
    "phase_waiting": Text("Submitted", "已提交"),
    "phase_place": Text("Submitted: number {place} in the queue", "已提交：队列中第 {place} 位"),
    "phase_grading": Text("The judge is grading …", "正在评测……"),
    "phase_running": Text(
        "Running: {passed} of {total} passed", "正在运行：通过 {passed} / {total}"
    ),
    "phase_program": Text("Running …", "正在运行……"),
    "phase_program_stopped": Text("Stopped", "已停止"),
    "phase_stopped": Text("Stopped: {passed} of {total} passed", "已停止：通过 {passed} / {total}"),
    "phase_replaced": Text("Replaced by a newer submission", "已被更新的提交取代"),
    "phase_failed": Text("Not run", "没有运行"),
    "phase_ended": Text("Ended", "已结束"),
    "phase_not_passed": Text(
        "{passed} of {total} passed · {outcome} · {time}",
        "通过 {passed} / {total} · {outcome} · {time}",
    ),
    "phase_passed_page": Text(
        "All {total} example tests passed · {time}", "{total} 项示例测试全部通过 · {time}"
    ),
    "phase_passed_judge": Text(
        "Solved: all {total} tests passed · {time}", "完成：{total} 项测试全部通过 · {time}"
    ),
    "next_submit": Text(
        "Now submit: the judge runs more tests, on the real libraries.",
        "现在可以提交了：评测程序会用真正的库运行更多测试。",
    ),
    "next_exercise": Text("Next exercise: {title}", "下一题：{title}"),
    "output_dropped": Text("{count} characters are not shown.", "有 {count} 个字符没有显示。"),
    "hints_shown": Text("{shown} of {total} hints shown", "已显示 {shown} / {total} 条提示"),
    "first_hint": Text("Show a hint", "显示一条提示"),
    "next_hint": Text("Show one more hint", "再显示一条提示"),
    "solution_about": Text(
        "This is one right solution. Yours may look different.",
        "这是一种正确写法。你的可以不一样。",
    ),
    "solution_earned": Text("You have solved this exercise.", "你已经完成了这道练习。"),
    "solution_unsolved": Text(
        "It is shown once you have solved the exercise, or now if you ask for it.",
        "完成练习之后就能看到；如果你想现在看，也可以。",
    ),
    "show_solution": Text("Show the reference solution", "查看参考答案"),
    "solution_confirm": Text(
        "You learn more by trying a little longer. Show it anyway?",
        "再试一试，收获会更大。确定现在就看吗？",
    ),
    "solution_yes": Text("Show it", "查看"),
    "solution_no": Text("I keep trying", "我再试试"),
    "history_empty": Text("No submissions yet.", "还没有提交过。"),
    "submission_at": Text("Submission of {time}", "{time} 的提交"),
    "version_at": Text("Version of {time}", "{time} 的版本"),
    "version_reset": Text("before a reset", "重置之前"),
    "version_loaded": Text("before other code was loaded", "载入其他代码之前"),
    "version_other_tab": Text("overtaken by another tab", "被另一个标签页覆盖之前"),
    "show_code": Text("Show the code", "查看代码"),
    "load_code": Text("Load it into the editor", "载入编辑器"),
    "was_reset": Text("The code is back at the beginning.", "代码已恢复到最初的样子。"),
    "was_loaded": Text("The code is in the editor.", "代码已载入编辑器。"),
    "nothing_changed": Text("That is what the editor holds already.", "编辑器里已经是这份代码了。"),
    "other_tab_won": Text(
        "Another tab has newer code. What stood here is kept in History.",
        "另一个标签页里的代码更新。这里原来的代码保存在“历史”里。",
    ),
    "no_room_for_draft": Text(
        "The browser has no room left to keep your code. Please download it.",
        "浏览器没有空间保存你的代码了。请把它下载下来。",
    ),
    "reconnecting": Text("The connection is lost. Trying again …", "连接中断，正在重试……"),
    "server_unreachable": Text(
        "The server does not answer. Your code is safe in this browser; please try again.",
        "服务器没有响应。你的代码保存在这个浏览器里，请稍后再试。",
    ),
    "server_refused": Text(
        "The server refused (status {status}).", "服务器拒绝了请求（状态 {status}）。"
    ),
}

# The library's own English phrases, which stay as they are in English.
EDITOR_PHRASES = {
    "Find": "查找",
    "Replace": "替换为",
    "next": "下一个",
    "previous": "上一个",
    "all": "全部选中",
    "match case": "区分大小写",
    "regexp": "正则表达式",
    "by word": "全字匹配",
    "replace": "替换",
    "replace all": "全部替换",
    "close": "关闭",
    "current match": "当前匹配",
    "replaced $ matches": "已替换 $ 处",
    "replaced match on line $": "已替换第 $ 行的匹配",
    "on line": "在第几行",
    "Go to line": "转到行",
    "go": "转到",
    "Fold line": "折叠",
    "Unfold line": "展开",
    "Folded lines": "已折叠的行",
    "Unfolded lines": "已展开的行",
    "folded code": "已折叠的代码",
    "unfold": "展开",
    "to": "到",
    "Control character": "控制字符",
    "Selection deleted": "已删除所选内容",
    "Diagnostics": "问题",
    "No diagnostics": "没有问题",
    "Completions": "补全",
}


def workbench_words(language: Language) -> dict[str, str]:
    """The words that the code of the exercise page needs."""
    return {name: text[language] for name, text in (VERDICTS | WORKBENCH).items()}


def editor_phrases(language: Language) -> dict[str, str]:
    return EDITOR_PHRASES if language == "zh" else {}
