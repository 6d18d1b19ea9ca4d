"""Patterns over a clause as it was written: what lemmas would hide.

To a lemma *move* is a *put* and *step* a *go*; a cry such as *whoa wait* has no grammar at all.
"""

from __future__ import annotations

import re
from typing import Literal

from server.robots.baselines.partner.patterns import any_of_these
from server.robots.baselines.partner.words import Clause

Spoken = Literal[
    "stop", "doing", "where", "remaining", "report", "make_way", "put_down", "shares", "hello",
    "come", "you_take", "help", "suggest", "idle",
]  # fmt: skip

_HALT_WORDS = frozenset(
    re.findall(
        r"\w+",
        "stop wait whoa woah hold hang halt freeze easy steady pause hey no not nope oh ah uh um "
        "eek ouch careful now here there up on it that this one still please right so too "
        "fast quick quickly just a "
        "an second moment minute sec again you i say do ok okay look out watch",
    )
)
"""Words of a cry that stops somebody, with no other word among them."""
_CANNOT = r"\b(?:can't|cannot|can not|cant|unable to)"
_HALT = any_of_these(
    r"\b(?:stop|wait|whoa|woah|halt|freeze|pause|hang on|hold (?:on|it|up|still))\b",
    r"\b(?:easy(?: now| there)|careful|watch (?:out|it)|no,? no)\b",
    r"\bnot (?:(?:so|too) (?:fast|quick|quickly)|that(?: one)?|this(?: one)?|there|now)\b",
)
_END = r"(?=\W*$|, | (?:you|because|with|when|while|here)\b)"
ASKS = (
    r"^\W*(?:(?:can|could|would|will) (?:you|u) |(?:please|pls|plz|just|now|then|so|ok|okay|hey|"
    r"robot|and|"
    r"oh|no|quick|you),? )*"
)
"""Beginning of what somebody asks for."""
_STEPS = r"(?:(?:a|one|two|little|bit|tiny|just|please|further|it|yourself|steps?) )*"
_MAKE_WAY = any_of_these(
    r"\b(?:in|out of|outta|off) (?:my|the|our|this|me) (?:\w+ )?(?:way|path)\b",
    r"\b(?:blocking|block|obstructing|trapping|crowding|standing in front of) "
    r"(?:me|my|us|our|the (?:way|path|door|doorway|hall|hallway|corridor|passage|exit|entrance))\b",
    r"\byou(?: are|'re|re|r)? (?:still |just )*(?:blocking|trapping|obstructing|in the door)",
    rf"\b(?:step|move|stand|get|scoot|shift|budge|go|walk|back|stay|keep) {_STEPS}"
    r"(?:aside|sideways|over|away|backwards?|back|clear|(?:to|on) (?:the|one|a|your) side)"
    r"(?=\W*$|, | (?:a|please|now|of|bit|so|i|will|would|can|could|robot|thanks)\b"
    r"| from (?:me|here|us|the (?:door|doorway|way|entrance|exit|path))\b)",
    r"\bmake (?:some |a bit of |a little )?(?:way|room|space)\b",
    r"\bgive (?:me|us) (?:some |a bit of |more |a little )?(?:space|room)\b",
    r"\blet (?:me|us) (?:(?:go|get|come|walk) )?(?:through|pass|past|by|out|in|around)\b",
    rf"(?:{_CANNOT}|\b(?:need|want|trying|have) to|\bwanna) (?:get|go|come|walk|move|squeeze|slip)"
    rf"(?: \w+)? ?(?:past|through|by|around|out)(?: you| here| there| the door)?{_END}",
    rf"{_CANNOT} (?:pass|move){_END}",
    r"\bclear (?:the )?(?:way|path|door|doorway|passage|hall|hallway|corridor)\b|\bunblock\b",
    r"^(?:(?:hey|please|robot|just|could you|can you|would you|will you|you|excuse me),? )*"
    r"(?:move|budge|scoot|shoo|scram|beep beep|excuse me|coming through|behind you|back up)"
    r"(?:,? (?:please|now|robot|it|out|a bit|a little|will you|would you|already|yourself))*\W*$",
)
_DO_NOT_MOVE = re.compile(
    r"\b(?:wait|stay|stop|stand)\b.*\b(?:don't|dont|do not|without) (?:move|moving|budge)\b"
)
_PUT_THAT_DOWN = re.compile(
    r"^\W*(?:(?:no|nope|oh|wait|please|leave (?:it|that)|not that(?: one)?),? )+"
    r"(?:put|set) (?:that|it|this) (?:back )?down\W*$"
    rf"|{ASKS}(?:drop (?:it|that|this|them)|let go(?: of (?:it|that|this|the \w+(?: \w+)?))?)"
    r"(?:,? (?:now|here|there|please|right|will you|would you|on the (?:floor|ground)))*\W*$"
)
_LEAVE_OFF = re.compile(
    r"\b(?:drop|leave|stop|quit|forget|cease|abandon|halt|pause) "
    r"(?:(?:what|whatever|everything|anything|all)(?: that| else)?"
    r"(?: (?:you(?: are|'re|re|r| were)?|u(?: are| r)?|ur|your) ?(?:are )?"
    r"(?:doing|do|at|up to|working on|busy with))|everything)\b"
)
"""Words of somebody who wants everything left as it is."""
_WAIT_FOR_ME = re.compile(
    r"^\W*(?:(?:no|hey|oh|ok|please),? )*(?:(?:wait|hold on|hang on|hold up),? )+"
    r"(?:let me|i|i'm|im|i'll|till|until|before|not|don't|dont|for)\b(?!.*\?)"
)
_GO_NOT = re.compile(
    r"^\W*(?:(?:no|hey|please|robot),? )*(?:don't|dont|do not|never) (?:you )?(?:go|come|walk|"
    r"step|run|enter|"
    r"get|move)(?: (?:in|into|near|inside|out|through|over|up|there|here|that|this|any|closer|"
    r"further|the|"
    r"way|room|kitchen|bedroom|bathroom|hallway|living|door))*\W*$"
)
_NOTHING = re.compile(
    r"\b(?:don't|dont|do not) (?:need|have) to (?:do|take|touch|move) (?:anything|any of it|"
    r"a thing)\b|"
    r"\bdo nothing\b(?!.*\?)"
)
_LEAVES_IT = re.compile(
    r"\W*(?:(?:(?:no|just|please|oh|hey),? )*(?:leave|let) (?:it|that|them)(?: be|"
    r" alone)?[ ,]*){2,}\W*"
)
_ALONE = re.compile(
    rf"(?:{_CANNOT}|\bi not|\bi don't|\bi dont|\bi do not) (?:\w+ ){{0,4}}(?:alone|by myself|"
    rf"on my own|myself|"
    r"(?:all|everything) (?:this|of it|of this|at once))\b"
)
_OFF_MY_HANDS = re.compile(r"\boff my hands?\b")
_TELL_WHAT = re.compile(
    r"\b(?:tell|told|show|say)(?: to)? me what (?:to do|i (?:can|should|have to|must|could|"
    r"need to) do)\b"
)
_ABOUT_YOU = re.compile(
    r"^\W*(?:(?:so|and|hey|robot),? )*(?:do|did|can|could|are|have) (?:you|u|robots|ya)(?: guys|"
    r" even| really| also)? "
    r"(?:ever|think|like|love|believe|feel|enjoy|dream|hate|sleep|eat|drink|dance|sing|talk|"
    r"speak|understand)\b"
    r"(?! (?:we|about|like (?:helping|getting|bringing|taking)))"
)
"""Questions about the robot itself: idle talk."""
_COME = re.compile(
    rf"{ASKS}(?:(?:i|we)(?: really| do|'d| would|ll|'ll)? (?:need|want|like|could use) "
    r"(?:you|u)(?: to (?:be|come))?|(?:get|come|be)) "
    r"(?:(?:right|back|over|down|up) )*(?:here|by me|with me|next to me|beside me|to me|"
    r"where i am|to where i am)(?:,? (?:now|please|quick(?:ly)?|asap|a (?:sec|second|moment|"
    r"minute)|for .*))*\W*$"
)
_WILL_NOT = re.compile(
    r"\b(?:i|we)(?: really| just| also)?(?:'m| am|m|'re| are)? ?(?:won't|wont|will not|"
    r"not going to|not gonna|"
    r"do not want to|don't want to|dont want to|don't wanna|dont wanna|not) "
    r"(?:be |to |really )*(?:do|doing|take|taking|handle|handling|get|getting|touch|bother with|"
    r"bring|"
    r"bringing|carry|carrying|move|moving|fetch|fetching|see to)\b"
)
"""Words of somebody who leaves a thing to others."""
_HAS = re.compile(
    r"\bwho(?:'s|s| is| has|'ve)?(?: currently| now)? (?:has|have|got|have got|has got|holding|"
    r"hold|holds|"
    r"carrying|carries|is holding|is carrying)\b|\b(?:does|do|has|have|is) (?:any(?:one|body)|"
    r"some(?:one|body)) "
    r"(?:have|has|got|hold|holding|carrying)\b|^\W*(?:do|have) you (?:have|got) (?:the|my|a|"
    r"that)\b(?=.*\?)|\bin whose hands?\b|\bwhose hands?\b"
)
"""Questions in whose hand a thing is."""
_YOU_ARE_AT_IT = re.compile(
    r"^\W*(?:(?:so|and|hey|ok|oh|then),? )*(?:are )?(?:you|u|ya) (?:still |now |just )?\w{2,}ing\b"
)
"""Guesses at what the robot does: *you going for the vase?*"""
_SHALL_I = re.compile(r"^\W*(?:(?:so|and|ok|or|then),? )*(?:shall|should) (?:i|we) (?!.*\byou\b)")
"""Questions what to do oneself."""
_IN_HAND = any_of_these(
    r"^\W*(?:(?:so|and|hey|ok),? )*do (?:you|u|ya) still have (?:the|my|that|it|a)\b",
    r"\b(?:are|r|what(?:'s|s)?) (?:you|u|ya)(?: are|'re)? "
    r"(?:(?:still|now|already|currently|just|even) )*(?:holding|carrying)\b",
    r"^\W*(?:(?:so|and|hey|ok),? )*(?:you|u|ya) (?:still )?(?:holding|carrying)\b",
    r"\b(?:do |have )?(?:you|u|ya) (?:still )?(?:got|have|hold|carry) (?:anything|something|any "
    r"\w+|sth|smth|stuff)(?: else)?(?: (?:in|on|with) .*)?\W*$",
    r"\b(?:you|u|ya) (?:still )?(?:got|have) .+ (?:on|with) (?:you|u|ya)\b",
    r"\b(?:you|u|ya) (?:still )?(?:got|have|hold|carry|holding|carrying) .+ in (?:your|ur|the) "
    r"(?:hands?|arms?)\b",
    r"\b(?:is|are) (?:your|ur) (?:hands?|arms?) (?:empty|free|full|busy)\b",
    r"\b(?:what(?:'s|s| is)?|anything|something) (?:that )?(?:is )?(?:in|on) (?:your|ur) "
    r"(?:hands?|arms?)\b",
    r"\bis (?:the |that |my )?\w+(?: \w+)? (?:still )?in (?:your|ur) hands?\b",
)
"""Questions after what the robot has in its hand."""
_BEYOND_HAND = re.compile(
    r"\b(?:where|why|who|whose|how|if|when|while|since|because)\b|"
    r"\b(?:carry|hold|take)\w* .*\b(?:to|into|for)\b"
)
"""Words of other questions about that, and of conditions."""
_BECAME = re.compile(
    r"\bwhat(?:'s|s| has| did| have)? ?(?:happened|happen|become|became|you do|you done|u do|"
    r"you did)"
    r" (?:to|of|with)\b"
)
_SEEKS = re.compile(
    r"\b(?:can|could|cud|would|will|please|pls|plz) (?:you |u |ya )?(?:please |pls |go |help |"
    r"just )*"
    r"(?:look|check|search)(?: around| again)?(?: for (?:it|that|them|the .*|my .*|"
    r"a .*))?(?: please| pls| then| too)*\W*$"
)
"""Requests to look for something; the robot knows where everything is."""
_IDLE_WHY = re.compile(
    r"\b(?:why|how come|y)(?: are| r| do| have| aren't| arent| don't| dont| do not| won't| wont|"
    r" haven't| havent)?"
    r"(?: you| u)?(?: not)? ?(?:still |just |only |always )*(?:(?:standing|sitting|waiting|idle|"
    r"idling|moving|"
    r"stuck|doing nothing|helping|working)\b|"
    r"(?:move|moved|do (?:any|some|no)thing|work|start|started|budge|help|stand|stop|go)"
    r"(?: any ?more| around| at all| then| now| yet| there| me)*\W*$)"
)
"""Questions why nothing is done: no order to do it."""
_SMALL_TALK = re.compile(
    r"\bhow(?:'s|s| is| was| are)? (?:your|the) (?:day|morning|evening|weekend|week|life|weather)\b"
)
_WHY_PAST = re.compile(
    r"^\W*(?:(?:but|and|so|then|well|ok|okay|hey),? )*(?:why|how come)(?: on earth)? "
    r"(?:(?:did|have|has|had|were|was|are|is)(?:n't|nt)? )?(?:you|it|that|this|we)\b"
)
"""Questions after what was done or left: no request, as *why don't you* is one."""
_WHY_THAT = re.compile(
    r"^\W*(?:(?:but|and|so|ok|hey),? )*why (?:the|that|this|these|only|just) \w+[^.]*\?"
)
_SHARES = any_of_these(
    r"\b(?:split|divide|share)(?: up| out)? (?:the |our |this |these |up )*(?:work|tasks?|jobs?|"
    r"things|chores|it)\b",
    r"^\W*(?:(?:so|and|ok|then|wait),? )*which(?: \w+)?(?: is|'s|s| are|'re) "
    r"(?:mine|yours|for me|for you|my (?:part|share|one|job)|your (?:part|share|one|job))\b",
    r"\bwho (?:does|takes|gets|has|is doing|is taking) (?:what|which)\b",
)
_WHO = any_of_these(
    r"(?<!one )(?<!person )(?<!body )\b(?:who|which (?:one )?of us)(?:'s|s| is| will| should|"
    r" shall)? (?:doing|do|does|taking|"
    r"takes?|getting|gets?|handling|handles?|bringing|brings?|on|putting|puts|carrying|washing|"
    r"wash|"
    r"washes|cleaning|cleans|filling|fills|moving|going to|gonna)\b"
)
"""Questions who sees to what."""
_DONE = r"(?:all|done|finish(?:ed)?|completed?|over|ready|through|set)"
_SO_FAR = r"(?:(?:all|now|already|really|both|then|about|nearly|almost|it|everything) )*"
_REMAINING = any_of_these(
    r"^\W*(?:(?:so|and|ok|okay|well|hey|then|now|wait),? )*"
    r"(?:(?:are|were|r|have|did) we|is (?:it|that|this|everything|the (?:task|job|work))) "
    rf"{_SO_FAR}{_DONE}"
    r"(?: (?:with|here|now|then|yet|already|everything|the task|it|that|this|done))*\W*$",
    r"^\W*(?:(?:so|then),? )*(?:(?:it|that|everything|we|all)(?: is|'s|'re| are)? )?"
    rf"{_SO_FAR}{_DONE}"
    r"(?: now| then| yet| here)*\s*\?",
    r"\b(?:did|have) (?:i|we) (?:forget|forgotten|miss|missed) (?:any|some)thing\b",
    r"^\W*(?:so )?(?:have|did|do|has) (?:i|we|everybody) (?:got|get|done|do|finished|finish|put|"
    r"have) "
    r"(?:everything|all of it|it all|the lot|them all|all)\b",
    r"\bis (?:that|this|it) (?:the lot|everything|all|all of it|it)\b(?: then| now)?\W*$",
    r"\bcan (?:i|we) (?:press )?finish\b(?! (?:it|this|that|the (?!task)))",
)
"""Questions whether the task is done."""
_BEGINS = (
    r"^\W*(?:(?:so|and|ok|okay|well|hey|now|there|right|alright|yes|no|nope|oh|ah|wait|sorry),? )*"
)
_REPORT = any_of_these(
    rf"{_BEGINS}(?:(?:i|we)(?: am|'m|m|'re|re| are| have|'ve|ve)? )?{_SO_FAR}"
    r"(?:done|finished|completed|through)(?: (?:with|in|at|here|my|our|the|now|this|that|it|all|"
    r"both|everything|part)\b.*)?\W*$",
    rf"{_BEGINS}(?:i|we)(?: have|'ve|ve)? (?:already|just) "
    r"(?:put|placed|moved|brought|took|taken|carried|washed|cleaned|filled|switched|turned|did|"
    r"done)\b",
    rf"{_BEGINS}(?:the |my |our |this |that )?\w+(?: \w+)?(?: is|'s|s| are) {_SO_FAR}"
    r"(?:done|finished|completed|in place|where it belongs)(?: now| already| too)*\W*$",
)
"""Words of somebody who tells that something is done: no request."""
_MEANT = r"(?: (?:that )?(?:i|we) (?:meant|mean|wanted|want|said|say|asked for|was talking about))"
_WRONG = any_of_these(
    rf"{_BEGINS}(?:you have |you took |you got )?(?:that(?: is|'s|s) )?(?:the )?wrong \w+\W*$",
    rf"{_BEGINS}(?:that|this|it)(?: is|'s|s)?(?: not|n't|nt) "
    rf"(?:it|(?:the )?(?:right |correct )?(?:one|thing){_MEANT}?|the \w+{_MEANT}|what{_MEANT})\W*$",
    rf"{_BEGINS}(?:i|we) (?:did not|didn't|didnt|do not|don't|dont) (?:mean|want|ask for|say) "
    r"(?:that|this|it)(?: one)?\W*$",
)
"""Words of somebody for whom the robot does the wrong thing."""


def spoken(clause: Clause) -> Spoken | None:
    """Return what the words of a clause tell by themselves; None: it is for lemmas to say."""
    raw = clause.raw
    words = re.findall(r"[a-z']+", raw)
    if not clause.asks and _HALT.search(raw) and all(word in _HALT_WORDS for word in words):
        return "stop"
    if (
        _LEAVE_OFF.search(raw)
        or _WAIT_FOR_ME.search(raw)
        or _GO_NOT.search(raw)
        or _NOTHING.search(raw)
    ):
        return "stop"
    if _LEAVES_IT.fullmatch(raw):
        return "stop"
    if _ALONE.search(raw):
        return "help"
    if _OFF_MY_HANDS.search(raw):
        return "you_take"
    if _TELL_WHAT.search(raw) or (clause.mentions and _SHALL_I.search(raw)):
        return "suggest"
    if not clause.mentions and _ABOUT_YOU.search(raw):
        return "idle"
    if _PUT_THAT_DOWN.search(raw):
        return "put_down"
    if _COME.search(raw) and not clause.mentions:
        return "come"
    if _WILL_NOT.search(raw) and not clause.asks:
        return "you_take"
    if asks_of_hand(raw):
        return "doing"
    if _HAS.search(raw) or _BECAME.search(raw):
        return "where"
    if _SEEKS.search(raw):
        return "where"
    if _IDLE_WHY.search(raw) or (clause.asks and _YOU_ARE_AT_IT.search(raw)):
        return "doing"
    if _WRONG.search(raw) or _DO_NOT_MOVE.search(raw):
        return "stop"
    if _SMALL_TALK.search(raw):
        return "hello"
    if _REMAINING.search(raw):
        return "remaining"
    if not clause.asks and _REPORT.search(raw):
        return "report"
    if _WHY_PAST.search(raw) or _WHY_THAT.search(raw):
        return "doing"
    if (_WHO if clause.mentions else _SHARES).search(raw):
        return "shares"
    only_places = all(mention.is_place for mention in clause.mentions)
    return "make_way" if only_places and _MAKE_WAY.search(raw) else None


def asks_of_hand(said: str) -> bool:
    """Tell whether it is asked what the robot has in its hand."""
    raw = said.lower()
    return _IN_HAND.search(raw) is not None and _BEYOND_HAND.search(raw) is None
