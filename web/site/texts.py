"""All words of the site's pages, in both languages.

`PAGES` are used by the templates, `WORKBENCH` by the code of the exercise page (which gets them inside
the page), `EDITOR_PHRASES` translate what the editor library says itself. Texts of exercises and
verdicts stand where they belong; nothing here is about a single exercise.
"""

from __future__ import annotations

from judge.texts import Language, Text

PAGES = {
    "site_title": Text("mini-sglang from Scratch", "从零实现 mini-sglang"),
    "site_subtitle": Text("Practice", "练习"),
    "skip": Text("Skip to the content", "跳到正文"),
    "nav_course": Text("Course", "课程"),
    "nav_submissions": Text("Submissions", "提交记录"),
    "nav_main": Text("Main", "主导航"),
    "nav_exercises": Text("Neighbouring exercises", "前后练习"),
    "breadcrumbs": Text("You are here", "当前位置"),
    "theme": Text("Theme", "主题"),
    "theme_system": Text("System", "跟随系统"),
    "theme_light": Text("Light", "浅色"),
    "theme_dark": Text("Dark", "深色"),
    "other_language": Text("中文", "English"),
    "other_language_title": Text("Read this page in Chinese", "用英文阅读本页"),
    "course_lead": Text(
        "Write the message layer of an LLM inference engine yourself, one small exercise at a time.",
        "亲手写出大模型推理引擎的消息层，一次完成一个小练习。",
    ),
    "step_read": Text("Read", "阅读"),
    "step_read_text": Text("The task says exactly what is asked.", "题目写清楚要做什么。"),
    "step_run": Text("Run", "运行"),
    "step_run_text": Text(
        "Example tests run here in the page, ZMQ sockets and threads included.",
        "示例测试直接在网页里运行，ZMQ 套接字和线程也能用。",
    ),
    "step_submit": Text("Submit", "提交"),
    "step_submit_text": Text(
        "Hidden tests decide, against the real torch, msgpack and ZMQ.",
        "隐藏测试给出结论，用的是真正的 torch、msgpack 和 ZMQ。",
    ),
    "continue": Text("Continue: {title}", "继续：{title}"),
    "begin": Text("Begin: {title}", "开始：{title}"),
    "all_solved": Text("All solved. Well done!", "全部完成，太棒了！"),
    "solved_of": Text("{solved} of {total} solved", "已完成 {solved} / {total}"),
    "chapter": Text("Chapter {number}", "第 {number} 章"),
    "exercises": Text("Exercises", "练习"),
    "difficulty": Text("Difficulty {level} of 5", "难度 {level} / 5"),
    "state_solved": Text("solved", "已通过"),
    "state_tried": Text("{passed} of {total} tests", "{passed} / {total} 项测试"),
    "state_new": Text("not begun", "未开始"),
    "state_closed": Text("closed", "未开放"),
    "prerequisites": Text("Builds on", "前置练习"),
    "previous": Text("Previous", "上一题"),
    "next": Text("Next", "下一题"),
    "statement": Text("Task", "题目"),
    "workbench": Text("Your code", "你的代码"),
    "closed_lead": Text(
        "This exercise is still closed: what it is given contains the reference solution of",
        "这道练习还没有开放：它用到的代码里有以下练习的参考答案：",
    ),
    "closed_way": Text(
        "Solve that first, or ask to see its solution.", "请先完成它，或者选择查看它的参考答案。"
    ),
    "needs_script": Text(
        "To write and run code here, switch JavaScript on. The task can be read without it.",
        "要在这里写代码和运行，请启用 JavaScript。不启用也可以阅读题目。",
    ),
    "loading_editor": Text("Loading the editor …", "正在载入编辑器……"),
    "keys": Text("Keyboard", "键盘"),
    "keys_run": Text("Run the example tests", "运行示例测试"),
    "keys_submit": Text("Submit", "提交"),
    "keys_stop": Text("Stop", "停止"),
    "keys_leave": Text("Leave the editor", "离开编辑器"),
    "keys_leave_keys": Text("Esc, then Tab", "先按 Esc，再按 Tab"),
    "keys_search": Text("Search and replace", "查找和替换"),
    "keys_comment": Text("Comment lines out", "注释或取消注释"),
    "submissions_lead": Text(
        "Everything you have submitted from this browser, newest first.",
        "你在这个浏览器里提交过的全部代码，最新的在最前面。",
    ),
    "submissions_none": Text("Nothing submitted yet.", "还没有提交过。"),
    "older": Text("Older", "更早的"),
    "column_when": Text("When", "时间"),
    "column_exercise": Text("Exercise", "练习"),
    "column_verdict": Text("Verdict", "结果"),
    "column_tests": Text("Tests", "测试"),
    "submission": Text("Submission", "提交"),
    "submission_code": Text("The code", "代码"),
    "submission_tests": Text("The tests", "测试"),
    "submission_pending": Text(
        "Not graded yet. The verdict will appear here by itself.",
        "还没有评测完。结果会自动出现在这里。",
    ),
    "submission_replaced": Text(
        "Replaced by a newer submission before it was graded.",
        "还没开始评测，就被更新的一次提交取代了。",
    ),
    "reused": Text(
        "The same code was graded before on the same tests; this is that verdict.",
        "同样的代码已经用同样的测试评测过，这里是当时的结果。",
    ),
    "back_to_exercise": Text("Back to the exercise", "回到练习"),
    "not_found": Text("There is nothing here", "这里什么也没有"),
    "not_found_text": Text(
        "The address may be mistyped, or it belongs to somebody else.",
        "地址可能写错了，也可能属于别人。",
    ),
    "to_course": Text("To the course", "回到课程"),
}

# Words that templates and the workbench share.
VERDICTS = {
    "outcome_passed": Text("passed", "通过"),
    "outcome_wrong": Text("wrong", "结果不对"),
    "outcome_error": Text("error", "出错"),
    "outcome_timeout": Text("timeout", "超时"),
    "outcome_crashed": Text("crashed", "崩溃"),
    "outcome_output": Text("too much output", "输出过多"),
    "outcome_memory": Text("out of memory", "内存不足"),
    "outcome_forbidden": Text("forbidden", "不允许"),
    "outcome_internal": Text("the judge failed", "评测程序出错"),
    "state_waiting": Text("waiting", "排队中"),
    "state_running": Text("being graded", "评测中"),
    "state_done": Text("graded", "已评测"),
    "state_replaced": Text("replaced", "已被取代"),
    "hidden_test": Text("hidden", "隐藏"),
    "expected": Text("expected", "期望"),
    "actual": Text("got", "实际"),
    "diff": Text("difference", "差异"),
    "output": Text("Output", "输出"),
    "test_code": Text("Code of the test", "测试代码"),
    "explanation": Text("A common mistake", "常见错误"),
    "at_line": Text("line {line}", "第 {line} 行"),
    "passed_tests": Text("{count} tests passed", "{count} 项测试通过"),
    "count_passed": Text("{passed} of {total}", "{passed} / {total}"),
}

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
    "python_starting": Text("Preparing Python: {percent} %", "正在准备 Python：{percent} %"),
    "python_progress": Text("Preparation of Python", "Python 的准备进度"),
    "python_ready": Text("Python is ready", "Python 已就绪"),
    "python_broken": Text("Python did not start", "Python 未能启动"),
    "python_broke": Text(
        "Python in the page broke; Run starts it anew. You can also submit. {reason}",
        "网页里的 Python 出了故障，按“运行”会重新启动它。也可以直接提交。{reason}",
    ),
    "panel_label": Text("Results and help", "结果与帮助"),
    "tab_results": Text("Results", "结果"),
    "tab_hints": Text("Hints", "提示"),
    "tab_history": Text("History", "历史"),
    "tab_solution": Text("Solution", "参考答案"),
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
