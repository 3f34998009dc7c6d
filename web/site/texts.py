"""The words of the site's pages, in both languages; those of the exercise page's code stand apart.

`PAGES` are used by the templates, `SELF_TEST` by the code of the self-test (which gets them inside the
page), `VERDICTS` by templates and code. Texts of exercises, questions and verdicts stand where they
belong; nothing here is about a single one.
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
    "reading": Text("Reading", "阅读"),
    "read_chapter": Text("Read the chapter", "阅读本章"),
    "contents": Text("In this chapter", "本章内容"),
    "self_test": Text("Self-test", "自测"),
    "self_test_lead": Text(
        "Questions on the reading, in its order. You may try each as often as you like.",
        "按阅读的顺序提问。每题都可以反复作答。",
    ),
    "self_test_link": Text(
        "{total} questions on the reading show what has stayed with you.",
        "{total} 道关于阅读内容的题目，看看你记住了多少。",
    ),
    "self_test_begin": Text("Begin the self-test", "开始自测"),
    "self_test_continue": Text("Go on with the self-test", "继续自测"),
    "self_test_again": Text("Look at the self-test again", "再看看自测"),
    "self_test_needs_script": Text(
        "To answer here, switch JavaScript on. The questions can be read without it.",
        "要在这里作答，请启用 JavaScript。不启用也可以阅读题目。",
    ),
    "back_to_chapter": Text("Back to the chapter", "回到本章"),
    "answered_right": Text("{right} of {total} answered right", "答对 {right} / {total} 题"),
    "choose_all": Text("Choose all that are right.", "选出所有正确的选项"),
    "your_number": Text("Your answer, a whole number", "你的答案（整数）"),
    "your_text": Text("Your answer", "你的答案"),
    "check_answer": Text("Check", "检查"),
    "show_answer": Text("Show the answer", "看答案"),
    "next_question": Text("Next question", "下一题"),
    "answered": Text("right", "答对"),
    "not_right_yet": Text("not right yet", "还不对"),
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
        "To run and submit here, solve this first:", "要在这里运行和提交，请先完成："
    ),
    "closed_why": Text(
        "What you get for this exercise contains the solution of that. You can read the task already, "
        "and begin to write.",
        "做这道练习时会拿到一些代码，其中有上面练习的参考答案。现在已经可以看题目，也可以先写代码。",
    ),
    "open_anyway": Text("Open it anyway", "仍要现在开放"),
    "open_confirm": Text(
        "Then the reference solution named above is no secret any more. Solving it first teaches you "
        "more. Open this exercise now?",
        "这样一来，上面练习的参考答案就不再保密。先自己完成它，收获会更大。确定现在开放这道练习吗？",
    ),
    "open_yes": Text("Open it", "开放"),
    "open_no": Text("I solve that first", "我先完成前面的"),
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

SELF_TEST = {
    "answer_right": Text("Right.", "答对了。"),
    "answer_wrong": Text("Not right yet.", "还不对。"),
    "answer_incomplete": Text(
        "What you chose is right, but something is missing.", "你选的都对，但还没有选全。"
    ),
    "answer_shown": Text("The answer:", "答案："),
    "answered_right": PAGES["answered_right"],
    "again": Text("Again: the {count} that were wrong", "重做答错的 {count} 题"),
    "all_questions": Text("All questions", "显示全部题目"),
    "server_unreachable": Text(
        "The server does not answer. Please try again.", "服务器没有响应，请稍后再试。"
    ),
    "server_refused": Text(
        "The server refused (status {status}).", "服务器拒绝了请求（状态 {status}）。"
    ),
}


def self_test_words(language: Language) -> dict[str, str]:
    """The words that the code of the self-test needs."""
    return {name: text[language] for name, text in SELF_TEST.items()}
