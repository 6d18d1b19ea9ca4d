"""Questions and remarks that are no requests: about states, contents, numbers, the robot, the task.

Each is told by the words of its clause as they were written; what fits none is left to the
patterns of requests (`first_request.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from server.robots.baselines.partner.patterns import any_of_these
from server.robots.baselines.partner.request import Kind, Request
from server.robots.baselines.partner.words import Clause, Mention, Name, clauses

_BEGINS = (
    r"^\W*(?:(?:so|and|but|hey|ok|okay|oh|well|hm+|um|wait|sorry|robot|please|pls|quick question|"
    r"actually|btw|by the way|now|then|do you know|can you tell me|could you tell me|tell me|"
    r"any idea|dunno|i wonder|do u know|just|also),? )*(?:if |whether )?"
)
_STATE_WORDS = (
    r"(?:open(?:ed)?|closed?|shut|clean|dirty|washed|wet|full|filled|empty|on|off|switched on|"
    r"switched off|turned on|turned off|lit|running)"
)
_STATE = any_of_these(
    rf"{_BEGINS}(?:is|are|isn't|isnt|was|were|aren't)(?: (?:the|a|my|that|this|it|all|any|both|"
    rf"of|those|these|they|\w+)){{1,5}}? (?:(?:still|already|now|really|actually|left|not|"
    rf"all) )*{_STATE_WORDS}(?: (?:or|and) \w+| now| already| yet| too| again| right now| at all|"
    rf" still)*\W*$",
    rf"{_BEGINS}which (?:\w+ ){{1,3}}(?:is|are) (?:still |already )?{_STATE_WORDS}\W*$",
    rf"{_BEGINS}(?:has|have) (?:the |that |my |it|they|this)(?:\w+ ?){{0,3}} (?:been |already "
    rf")*{_STATE_WORDS}\W*$",
    rf"{_BEGINS}(?:the |that |this )?\w+(?: \w+)? (?:is |are )?(?:still |already )?{_STATE_WORDS}"
    r"(?: now| already| yet)?\s*\?",
    rf"{_BEGINS}(?:does|do) .* (?:need|want) (?:a )?(?:wash\w*|clean\w*|refill\w*|fill\w*)\s*\?",
)
_STATE_AFTER = re.compile(
    rf"^\W*(?:the |that |this |it )?(?:\w+ ){{0,3}}(?:is |'s )?(?:still |already )?{_STATE_WORDS}"
    r",? (?:isn't it|is it|right|correct)\W*$"
)
_CONTENTS = any_of_these(
    rf"{_BEGINS}(?:what|whats|what's|wats|anything|something|any thing|is (?:there )?(?:any|some)"
    r"thing|is there something|are there things|are there any things|what do (?:we|you|i) have|"
    r"what have we|what(?: all)? (?:is|are)(?: there)?|what (?:things|stuff|objects|items) are|"
    r"which (?:things|objects|items) are|what lies|what sits|what else is)"
    r"(?: is| are| there| lying| sitting| kept| stored| now| currently| else| left| all| 's)* "
    r"(?:in|on|inside|inside of|on top of|under|in there|at) (?:the|my|that|this|your|it|there)\b"
    r"(?!.*\bhands?\b)",
    rf"{_BEGINS}(?:did|have|has) (?:you|u|ya|anyone|anybody|someone|we)(?: already| ever| even)? "
    r"(?:look|looked|check|checked|search|searched|peek|peeked)\b",
    rf"{_BEGINS}(?:(?:can|could|would|will) (?:you|u) |please |go |go and |pls )*"
    r"(?:look|check|peek|search|have a look|take a look|have a peek)"
    r"(?: (?:in|inside|into|on|through|under))? (?:the|my|that|this|all|every|those)\b"
    r"(?!.*\bfor (?:the|a|an|my|it|that)\b)",
    rf"{_BEGINS}(?:(?:can|could|would|will) (?:you|u) |please |go |go and |pls )*(?:see|check|"
    rf"look|tell me|"
    r"show me|find out|list) (?:what|whats|what's|if there|if anything|whether)\b(?! (?:you\w*|u|"
    r"i|we|it)\b).*"
    r"\b(?:in|on|inside|there)\b",
    rf"{_BEGINS}is (?:the |that |this )\w+(?: \w+)? empty\b",
)
_COUNT = any_of_these(
    rf"{_BEGINS}how (?:many|much) (?!.*\b(?:left|remain\w*|more|to do|to go|still|time|minutes|"
    r"seconds|hours|long)\b)",
    r"\b(?:number|amount|count) of\b.*\?",
    rf"{_BEGINS}(?:is|are) there (?:only |just )?(?:one|two|three|four|more than one|several|"
    r"another|any other|any more|other|a second|only) ",
)
_SELF = any_of_these(
    rf"{_BEGINS}(?:are|r) (?:you|u|ya) (?:really |actually |just |even )?(?:a |an |the |some )?"
    r"(?:real |actual |chat ?|live )*(?:human|person|people|bot|robot|ai|machine|program|script|"
    r"computer|gpt|chatgpt|llm|real|alive|man|woman|girl|boy|guy|npc|player)\b",
    rf"{_BEGINS}(?:who|what)(?: the hell|exactly)?(?: are|'re| r|re) (?:you|u)(?: again| really|"
    r" exactly| anyway| even| supposed to be)?\W*$",
    rf"{_BEGINS}(?:(?:what|whats|what's|wats)(?: is)? (?:your|ur|you) name|do (?:you|u) have a "
    r"name|how (?:should|can|do|shall) i call (?:you|u)|your name)\b",
    rf"{_BEGINS}(?:what|which things|what all|what else) (?:can|could) (?:you|u|ya)(?: actually|"
    r" even| all)? (?:do|understand)\b",
    rf"{_BEGINS}what (?:are you able to|do you know how to|kind of things)\b",
    rf"{_BEGINS}(?:are|r) (?:you|u) (?:able|allowed) to (?!(?:\w+ )?(?:the|my|this|that|it|"
    rf"help)\b)",
    rf"{_BEGINS}(?:can|could) (?:you|u|ya) (?:even |actually |also |really )?(?:carry|hold|take|"
    r"lift|pick up|grab|bring|move) (?:two|three|several|many|multiple|more than|both at|a few|"
    r"things|stuff|\d)\b.*\?",
    rf"{_BEGINS}(?:can|could|do|does) (?:you|u|ya|robots?|your (?:robot|body)) (?:even |actually |"
    r"also |really )?(?:wash|clean|fill|carry|open|close|cook|see|hear|jump|run|fly|swim|climb|"
    r"switch|turn|use|lift|pick|move|put|reach|walk|talk|feel)(?: on| off| up)?"
    r"(?: (?:stuff|things|something|anything|dishes|doors|drawers|lights|lamps|objects|at all|"
    r"me|everything|too))*\s*\?",
    rf"{_BEGINS}(?:can|could) (?:you|u) (?:even )?(?:wash|clean|fill|cook|jump|fly|climb)(?: stuff|"
    r" things| something| dishes)?\W*$",
    rf"{_BEGINS}how (?:do|does) (?:you|this|it) work\b|{_BEGINS}how old are (?:you|u)\b",
    rf"{_BEGINS}(?:can|do) (?:you|u) (?:see|hear|understand|read) me\b",
)
_AGAIN = any_of_these(
    r"\bwhat (?:did|do) (?:you|u) (?:just |even )?(?:say|said|mean|tell)\b|\bwhat (?:do|did) u "
    r"mean\b",
    r"\b(?:say|repeat|tell me) (?:that|it|this)(?: one)?(?: more time|,? again| once more|,? "
    r"please)+",
    rf"{_BEGINS}(?:repeat|come again|pardon|say again|again please|once more please|what was that|"
    r"huh|eh|what|sorry what)(?: that| it| please| pls| again)*\s*\?+\W*$",
    rf"{_BEGINS}(?:repeat|come again|say again)\b",
    r"^\W*(?:sorry|wait|pardon|excuse me|huh|eh|what)(?:,? (?:sorry|what|pardon|huh|"
    r"eh))?\s*\?+\W*$",
    r"^\W*(?:wait|hold on|sorry),? (?:what|huh)\W*$",
    r"\bi (?:don't|dont|do not|didn't|didnt|did not|can't|cant|cannot) (?:really |quite )?"
    r"(?:understand|get|hear|follow|catch|read)(?: what)? (?:you|u|that|what you)\b(?! (?:are|r|"
    r"doing|up)|'re|re\b)",
)
_TASK = any_of_these(
    r"\b(?:what|whats|what's|wats|which)(?: is| was| does| do| are| were|'s)?(?: again)? "
    r"(?:the|our|this|that) (?:\w+ )?(?:task|goal|goals|mission|assignment|objective|aim|"
    r"instructions?|job|quest)\b(?!.*\byou(?:r)? doing\b)",
    rf"{_BEGINS}(?:tell|read|show|repeat|explain|remind)(?: me| us)?(?: of| out| again)? (?:the|"
    rf"our) "
    r"(?:\w+ )?(?:task|goal|instructions?|mission)\b",
    r"\bwhat (?:are|do|were|is it) (?:we|i) (?:even |actually |again )?(?:supposed|meant|asked|"
    r"told)"
    r" to (?:do|be doing)(?: here| again)?\W*$",
    r"\bwhat(?:'s| is|s) (?:this|it) (?:all |game )*about\b|\bwhat (?:is|was) this (?:game|task)\b",
    rf"{_BEGINS}i (?:forgot|forget|have forgotten|don't remember|dont remember)(?: what)? (?:the|"
    rf"our|"
    r"we|what) (?:task|goal|are|have|had|should|were)\b",
)
_TIME = any_of_these(
    r"\bhow (?:much|many) (?:more )?(?:time|minutes|mins|seconds|hours)\b|\bhow long (?:do we|do "
    r"i|have|is|"
    r"till|until|will (?:it|this|the)|left|does)\b|\bwhat time\b|\btime (?:is )?left\b|\bare we "
    r"(?:too )?(?:late|out "
    r"of time|running out)\b|\bwhen (?:does|is|will) (?:it|this|the (?:task|game|time|clock)) "
    r"(?:end|over|run out|finish|up|stop)\b|\bis there a (?:timer|time limit|clock|deadline)\b",
)
_NOT = r"(?:don't|dont|do not|never|pls don't|please don't|pls dont|no)"
_BAN = any_of_these(
    rf"{_BEGINS}{_NOT} (?:you )?(?:ever )?(?:put|place|leave|move|take|bring|carry(?! on)|set|"
    rf"drop|throw|"
    r"store|stick)\b[^,]* (?:in|on|into|onto|to|inside|next to|near|at|there|here|under|off)\b"
    r"(?! your own)(?!.*\b(?:alone|it's mine|its mine)\b)",
    rf"{_BEGINS}{_NOT} (?:you )?(?:ever )?(?:open|opening|close|shut|closing|finish|press|end|wash|"
    r"clean|fill|turn|switch|use|break|drop|follow|lose|run|rush|hurry|fall|bump|hit|talk|"
    r"say|write)\b(?! (?:to|it about)\b)",
    rf"{_BEGINS}keep (?:it|the \w+(?: \w+)?|that|them|this|everything|all) "
    r"(?:open|closed|shut|on|off|dirty|running)\b(?! the)(?!.*\?)",
    rf"{_BEGINS}(?:don't|dont|do not|never) (?:\w+ )?(?:any|anything|all|every|everything|more "
    rf"than|"
    r"both|two|either)\b.* (?:in|on|of|from|until|till|before|unless|except|but)\b",
    r"\bno (?:opening|closing|touching|finishing)\b",
)
_UNABLE = any_of_these(
    r"\bpour (?:it|that|this|them|the \w+(?: \w+)?) (?:out|away)\b|\bpour out\b",
    rf"{_BEGINS}(?:(?:can|could|would|will) (?:you|u) |please |pls |go )*(?:empty|cook|bake|eat|"
    r"drink|dance|sing|jump|vacuum|dust|mop|sweep|iron|feed|cut(?! (?:it|that) out)|chop|slice|"
    r"peel|break|smash|"
    r"burn|kick|push|pull|fold|knock(?! (?:it|that) off)|ring|play|sit|sleep|lie|hide|paint|fix|"
    r"repair|count|spin|"
    r"throw (?:away|out)|throw (?:it|that|this|the \w+(?: \w+)?) (?:away|out|at|to)|bin|trash|wave|"
    r"dry|heat|warm|cool|freeze the|boil|lock|unlock|hug|kiss|shake|swap|mix|plug|unplug|charge|"
    r"buy|order|call|make (?:me )?(?:a |some )?(?:coffee|tea|dinner|food|sandwich|the bed))\b"
    r"(?! (?:off|down|in touch|back|up the house)\b)(?!,? (?:you|i)\b)",
)
_PAST = re.compile(
    r"\bwhere(?:'d| did)? (?:(?:did|have|had) )?(?:you|u|ya|we) (?:just |first |even |ever )?"
    r"(?:find|found|get|got|see|take|took|saw|pick|picked|discover)\b"
    r"|\bwhere (?:was|were) (?:it|they|the \w+(?: \w+)?|that)\b(?!.*\b(?:seen|now)\b)"
)
"""Questions where something was before."""
_FINISH = any_of_these(
    rf"{_BEGINS}(?:shall|should|can|could|may|do|are|will) (?:we|you|i|u)(?: both| now| just)? "
    r"(?:finish|end|wrap(?: it)? up|call it a day|be done|stop here|press (?:the )?finish\w*|"
    r"submit|"
    r"quit)(?: now| it| this| the task| the game| up| here| then| yet| together)*\W*$",
    rf"{_BEGINS}(?:(?:i|we) (?:think|guess|believe|reckon|feel|say) )(?:that )?(?:we|we're|were|"
    rf"we are|"
    r"everything|everything's|that's|thats|it's|it is|this is|that is)(?: is| are)? ?(?:all |both |"
    r"now |about )*(?:done|finished|complete|completed|ready|over|it|everything|through|all)\b",
    rf"{_BEGINS}(?:please |pls |now |you |go |u |lets |let's |let us )*(?:press|hit|click|push|"
    rf"tap) "
    r"(?:the |on |on the )?(?:finish|end|done)\b",
    rf"{_BEGINS}(?:(?:did|have|do) we (?:win|won|pass|passed|make it|made it|do it)|how are we "
    rf"(?:doing|"
    r"getting on|looking)|are we (?:there yet|nearly there|close|good))\b(?! with)",
    rf"{_BEGINS}what (?:else )?(?:still )?needs? (?:to be )?(?:washing|cleaning|doing|done|"
    rf"washed|cleaned|moving|"
    r"moved|filling|filled)(?: still| yet| now)*\W*$",
    rf"{_BEGINS}(?:lets|let's|let us) (?:finish|end|wrap)(?: it| this| up| now| the task| "
    rf"here)*\W*$",
)
_TOLD = any_of_these(
    r"^\W*(?:(?:never ?mind|ok|oh|ah|yes|yay|i|i've|i have|we|finally),? )*(?:found|got|have) "
    r"(?:it|them|that one|that|one)(?:,? (?:now|thanks|thank you|thx|already|ty))*\W*$",
    rf"{_BEGINS}(?:there(?:'s| is|s)|i (?:see|found)|we have) (?:nothing|no|none)\b(?!.*\?)",
    rf"{_BEGINS}(?:i|we)(?:'m| am|m|'re| are)? (?:just |now |also |already |currently |here )*"
    r"(?:in|at|by|inside|near|upstairs|downstairs|outside|here|back|next to) (?:the |my |here)?"
    r"(?!to help)(?:\w+ ?){0,3}(?: now| already| btw)*\W*$(?<!help)",
    rf"{_BEGINS}(?:i|we)(?:'m| am|m|'re| are) (?:just |now |also |off )*(?:going|heading|walking|"
    r"gonna go|off|on my way|moving|headed|coming|looking)\b(?!.*\b(?:you|u|can't find|for)\b)",
    rf"{_BEGINS}(?:i|we)(?:'ve| have)? (?:just )*(?:put|placed|left|moved|dropped|set|"
    rf"took|"
    r"opened|closed|shut|washed|cleaned|filled|found|saw|switched|turned) (?:the|my|a|it|that|both|"
    r"this|them)\b(?!.*\b(?:you|can you|could you|please)\b)(?!.*\?)",
    rf"{_BEGINS}(?:there(?:'s| is|s| are)) (?:a|an|the|another|some|one|two|still)\b.*"
    r"\b(?:in|on|under|inside|at|near|behind|next to)\b(?!.*\b(?:you|please|bring|take|get|put)\b)"
    r"(?!.*\?)",
)
"""Words that tell where somebody is, or what they did or saw: nothing is asked for."""
_BYE = re.compile(
    rf"{_BEGINS}(?:bye+|good ?bye|good night|see (?:you|ya|u)|cya|ciao|later)(?: later| soon| "
    rf"then| bye| all)*\W*$"
)
_HOLD = re.compile(
    rf"{_BEGINS}(?:(?:can|could|would|will) (?:you|u) )?(?:keep (?:it|that|this|them|hold\w*.*)|"
    r"hold on to .*|hold (?:it|this|that|the \w+(?: \w+)?) for .*)\W*$"
)
"""Words that want something kept in a hand."""
_NAMED = r"(?:the |my |that |this |those |these |both |a )?\w+(?: \w+)?"
_FOR_WHAT = any_of_these(
    rf"{_BEGINS}what (?:do|should|shall|am|must|can|are|have) (?:i|we|you)(?: to| supposed to| "
    rf"have to)? do with "
    rf"{_NAMED}\W*$",
    rf"{_BEGINS}what (?:should|must|has to|needs to|will) (?:happen|become|be done) (?:to|of|"
    rf"with|about) ",
    rf"{_BEGINS}what(?:'s| is|s| are) {_NAMED} for\W*$",
    rf"{_BEGINS}(?:is|are) {_NAMED} (?:part of|in|needed|required|for) (?:the |our |this "
    rf")?(?:task|goal|job)?\W*$",
    rf"{_BEGINS}(?:do|should|must|am) (?:we|i|you) (?:even |really |actually )?(?:need|have to|"
    rf"meant to|supposed to)"
    rf" (?:do |wash |clean |move |bring |take |get |fill )?{_NAMED}(?: at all| too| as "
    rf"well)*\s*\?*\W*$",
    rf"{_BEGINS}(?:do|does) {_NAMED} (?:need|have) to (?:be|go)\b",
    rf"{_BEGINS}(?:is|are) {_NAMED} (?:supposed|meant) to (?:be|go)\b",
)
"""Questions what the task wants of a thing."""
_SPARES = any_of_these(
    rf"{_BEGINS}{_NAMED} (?:can |should |must |may |has to |is to )?(?:stays?|remains?)\b(?!.*\?)",
    rf"{_BEGINS}no touching {_NAMED}\W*$",
    rf"{_BEGINS}(?:you can |please )?(?:ignore|skip|forget(?: about)?|don't bother with|no need "
    rf"for|never mind) "
    rf"(?:the |my |that |those ){_NAMED}(?: for now| now| then)*\W*$",
)
"""Words that want a thing left alone."""
_KEYS = any_of_these(
    r"\b(?:what|which) (?:key|button|keys|buttons)\b",
    rf"{_BEGINS}how (?:do|can|should|does) (?:i|we|you|one) (?:pick|grab|put|move|walk|turn|look|"
    rf"drop|press|"
    r"talk|chat|use|jump|run|select|interact|click|play|place|see the map|open (?:things|stuff|"
    r"doors?)|"
    r"carry|hold|take)(?! (?:the|my|a|that|this)\b)",
)
"""Questions after the keys of the page."""
_VAGUE = re.compile(
    rf"{_BEGINS}(?:do (?:what|whatever|as) (?:you|u) (?:want|like|think|prefer|please)\w*|whatever"
    r"(?: (?:you|u) (?:want|like|think|prefer))?|you (?:choose|decide|pick)|your choice|"
    r"either(?: is| one)?"
    r"(?: is)?(?: fine| ok| good)?|whichever|i don'?t (?:care|mind)|doesn'?t matter)(?: best| "
    r"then| is fine)*\W*$"
)
"""Words that leave a choice to the robot."""
_READY = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|ok|okay|so|and|right),? )*(?:are |r )?(?:(?:you|u|ya) )?"
    r"(?:all )?ready(?: to go| now| yet| then)?\s*\?\W*$"
)
_TOPICS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (_BYE, "nod"),
    (_HOLD, "unsure"),
    (_READY, "doing"),
    (_KEYS, "keys"),
    (_VAGUE, "nod"),
    (_TIME, "time"),
    (_TASK, "task"),
    (_AGAIN, "again"),
    (_SELF, "self"),
    (_FINISH, "remaining"),
    (_BAN, "ban"),
    (_UNABLE, "unable"),
    (_COUNT, "count"),
    (_CONTENTS, "contents"),
    (_STATE, "state"),
    (_STATE_AFTER, "state"),
    (_TOLD, "nod"),
)


def topic(text: str, names: Sequence[Name]) -> Request | None:
    """Return what a line of one clause asks or says beside requests; None: it may be a request."""
    found = clauses(text, names)
    if len(found) != 1 or re.search(r"\bstop\b", found[0].raw):
        return None
    clause = found[0]
    if _PAST.search(clause.raw):
        return _about("where", clause)._replace(points=not clause.mentions)
    if clause.mentions and _FOR_WHAT.search(clause.raw):
        return _about("belongs", clause)
    if clause.mentions and _SPARES.search(clause.raw):
        return _about("i_take", clause)._replace(action="spare")
    for words, kind in _TOPICS:
        if words.search(clause.raw):
            return _about(kind, clause)
    return None


def asks_of_the_past(said: str) -> bool:
    """Tell whether it is asked where something was before."""
    return _PAST.search(said.lower()) is not None


def _about(kind: Kind, clause: Clause) -> Request:
    """Return a request about what a clause names first, furniture as the place."""
    things: list[Mention] = [m for m in clause.mentions if not m.is_place]
    places: list[Mention] = [m for m in clause.mentions if m.is_place]
    points = re.search(r"\b(?:it|that|this|them|they|those|there)\b", clause.raw) is not None
    if kind in ("state", "where", "count", "belongs", "i_take"):
        ordered = [*clause.mentions]
        return Request(
            kind,
            thing=ordered[0] if ordered else None,
            room=ordered[1] if len(ordered) > 1 else None,
            points=points and not ordered,
            said=clause.raw,
        )
    return Request(
        kind,
        thing=things[0] if things else None,
        place=places[0] if places else None,
        points=points and not clause.mentions,
        said=clause.raw,
    )
