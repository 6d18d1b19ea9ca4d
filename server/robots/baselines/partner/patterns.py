"""Patterns of requests, over lemmas and marks (`words.py`): one for each kind that there is."""

from __future__ import annotations

import re

N = r"(?:THING|PLACE|it|this|that|them|those|these|one)"
"""A pattern of something named or pointed at."""
REQ = "REQ "
FRAMES = re.compile(
    r"^(?:and |then |but |no |yes |now |first |next )*(?:"
    r"can I (?:ask|get|have) you to |(?:do |can )?you mind (?:if you )?|"
    r"(?:be )?you able to |(?:be )?it possible (?:for you )?to |"
    r"I (?:can )?(?:need|want|ask)(?: it)?(?: if)? (?:for )?(?:you|robot) (?:to |can |do )?|"
    r"(?:can you |you )?be one (?:who|that|to) (?:can )?|"
    r"it can be (?:great|good|nice|lovely|best|better|helpful) if you (?:can )?|"
    r"mind (?=(?:bring|get|put|open|close|clean|fill|turn|go|tidy|leave|take|hand)\b)|"
    r"(?:can you )?(?:be so (?:kind|good)(?: as)?|be kind enough) (?:and |to )?|"
    r"(?:can you )?(?:do|make) me (?:favor|favour) (?:and )?|"
    r"(?:can you )?(?:make|be) sure (?:to |that |you )?|"
    r"(?:I think |I guess |I say )?you (?:must|can|need to|have to|want to|better) (?:to |"
    r"go and )?|"
    r"(?:can|must) you (?:be able to )?|"
    r"how about (?:you )?|what about you |why (?:do )?not you |"
    r"(?:let us|we (?:must|need to|can|have to)(?: to)?) |"
    r"(?:it be )?time (?:for you )?to |your (?:job|task) be to |you be to |"
    r"(?:some|any)(?:body|one) (?:must|can|need to|have to|better) |"
    r"(?:I )?hope you (?:can )?|be (?:a |such )?(?:dear|good|kind|like|star|sweet|angel|friend|"
    r"champ|legend)\w* and |"
    r"you (?=(?:bring|put|open|close|clean|fill|turn|go|tidy|stop|wait)\b)|(?:you )?(?:go and |"
    r"try (?:to |and )|start (?:to )?|go ahead and |feel free to )"
    r")"
)
ASIDES = re.compile(
    r"^(?:excuse me|pardon me|go for it|by way|do one thing|next thing|tell you what|"
    r"question|listen|look(?= )(?! (?:for|at|in|under|after))|(?:can|"
    r"do) you "
    r"(?:tell|know)(?: me| if)*(?: about)?|tell me(?: about)?|let me know|i wonder|"
    r"I (?:can )?(?:wonder|want to know|need to know|like to know|want know)|"
    r"I not (?:know|get|understand|see) (?=wh)|"
    r"(?:do you have |have you |you have )?(?:any )?idea(?: of)?|do you recall|"
    r"any chance you know|"
    r"i ask|quick question) (?!me to)"
)


def any_of_these(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


SHORT = (
    r"(?: (?:it|that|this|now|here|there|there now|right there|right here|moving|everything|me|"
    r"what you be doing|doing(?: it| that| this| what you be doing)?|for (?:me|now|moment|second|"
    r"minute|bit|while)|work|go|put|moment|second|minute|bit|while|on|up|still|your (?:horses|"
    r"fire|position|work)|alone|be|please|until .*|till .*|right now|at once|where you be|at|for|"
    r"in|your|tracks|one|action|task|all|any|further|activity|what you do|THING|PLACE|get|take|"
    r"handle|clean|walk|with|you|have|a|I .*)\b)*+$"
)

GO_ON = any_of_these(
    r"\bnot (?:stop|wait|hold)\b",
    r"^(?:REQ )?(?:continue|carry on|keep (?:go|work|on|at|it|do|doing|up)|start (?:again|work|"
    r"go|move)"
    r"|go (?:on|ahead)|back to work|go back to work|work again|move again|put again|get back to)\b"
    r"(?! (?:to|and get) PLACE)",
    r"^(?:REQ )?(?:you )?can (?:go|put|work|start|continue|move|do)(?: on| again| now)+",
    r"^bring on$|^as you be$|^REQ (?:go|put) again$",
)
STOP = any_of_these(
    r"\b(?:stop|break off) (?:what|whatever)\b",
    rf"^(?:REQ )?(?:I say )?(?:no )?(?:stop|wait|stand still|stand by|hold|hang|stay|"
    rf"whoa)(?! (?:THING|"
    rf"PLACE) (?:on|in|to|at) ){SHORT}",
    r"^(?:REQ )?(?:put on hold|hold (?:on|up|it|that|still)|hang on|stay (?:there|here|put|"
    r"where|still))\b",
    r"^(?:REQ )?(?:cut (?:it|that) out|knock (?:it|that) off|enough|that be enough|"
    r"never mind(?! (?:about )?(?:THING|PLACE))|"
    r"forget (?:it|about it|that)|time out|not so fast|red light|back off|leave off|give up|"
    r"no more|be still|stand still|hold everything|drop everything|put everything)\b",
    r"^(?:REQ )?(?:just )?(?:give me |need |I need |take )?(?:one|a|another)? ?(?:second|"
    r"moment|minute)$",
    r"^(?:REQ )?(?:give|bring) me (?:one )?(?:second|moment|minute)",
    r"^(?:REQ )?(?:leave|let) (?:it|that|this|them|everything)(?: be| go| alone| there| here|"
    r" where it be)*$",
    r"^(?:REQ )?not (?:do|put|touch|go|take|handle|work|get|continue|keep|make)(?: (?:it|that|"
    r"this|"
    r"any(?:thing)?|further|move|now|yet|more|so|else|on|anything else|anywhere|there|muscle|"
    r"for|moment|second|minute|"
    r"go|step|"
    r"work))*$",
    r"^(?:REQ )?(?:(?:no|please|wait|whoa|hey|okay|hold) )*(?:stop|halt)\b",
    r"\b(?:must|need to|want you to|like you to|tell you to|say|tell) (?:you )?(?:to )?stop\b",
    r"^(?:REQ )?(?:take|have) break\b|^(?:REQ )?rest$|^that be enough\b|^not now$|^no no",
)
SUGGEST = any_of_these(
    r"\bwhat (?:else )?(?:be|can|must|do)? ?(?:I|we) (?:can|must|to|be|have)? ?(?:to )?(?:do|"
    r"doing|help|get|handle|take|work)\b",
    r"\bwhat (?:be )?(?:I|we) (?:suppose|suppose to|meant|supposed)",
    r"\bwhat (?:be )?(?:left|else|remain|stay|still to|next for me|there left)\b(?! you)",
    r"\b(?:not sure|idea|clue|unsure|lost)\b.*\bwhat (?:to|I|we)\b",
    r"\bwhat (?:do )?you (?:need|want) (?:me|from me|us)\b",
    r"^what be I (?:responsible for|in charge of|to do|on)\b",
    r"\bwhat (?:be )?my (?:job|task|part|share|turn|role)\b",
    r"\bwhat (?:be )?(?:our )?(?:task|goal|mission|job)$",
    r"\b(?:what|which)(?: one)? (?:one )?(?:must|can|do) I (?:do|take|get|handle|bring)",
    r"\b(?:anything|something) (?:else )?(?:I|for me|left|to do)\b",
    r"^(?:how )?(?:can|must) I help\b",
    r"\bdo you need (?:help|hand|anything|me|assistance|my)",
    r"^(?:let me help|I (?:can |be |be go to |want to |be here to )?help|"
    r"(?:I (?:be )?)?(?:happy|glad) to help)\b",
    r"^you need (?:help|hand|anything)",
    r"^what (?:now|next) (?:for me|me|do)|\bgive me (?:something|job|task)|"
    r"\bbring me (?:something|job|task)",
    r"^how much (?:be )?(?:left|more)",
)
REMAINING = any_of_these(
    r"\bwhat (?:else )?(?:be |do |can )?(?:still |there |it |we )*(?:have |get )?(?:still )?"
    r"(?:left|remain|missing|outstanding|undone|to do|to go)\b",
    r"\b(?:anything|something|things?|stuff|work|lot|much|many|more)\b(?! time).*"
    r"\b(?:left|remain|missing|outstanding|undone|to do|to go)\b",
    r"^how (?:much|many)\b(?! time)(?:.*\b(?:left|remain|more|to do|to go|still)\b)",
    r"^be there (?:any |some |still )*(?:more|other|further|else|thing|anything)\b",
    r"\bstill (?:missing|left|to do|to go)\b",
)
"""Questions what of the task is still to be done."""
HELP = any_of_these(
    r"\bhelp\b|\btogether$|^(?:let us|we) .*\btogether\b",
    r"\bsos\b|^emergency",
    r"\bassistance\b|(?<!your )\bhand\b(?! THING| over)",
    r"\bstuck\b|\bstruggle\b|(?<!no )\btrouble\b",
    r"^I (?:can|be) not (?:able|see how|handle|do|get|reach|open|put|make|clean|fill|take|work|"
    r"hold)",
    r"\btoo (?:high|heavy|far|hard|difficult|much|big)\b",
    r"^I not know (?:how|what)",
    r"^how (?:do|can|must) I\b|^how to\b",
    r"^I (?:can )?need you(?: here| over here| with .*)?$",
    r"\b(?:can|do) not reach\b",
    r"\b(?:do|get|handle|put|take|carry) (?:it|this|that|THING) (?:by )?(?:myself|alone|"
    r"on my own)\b",
    r"^(?:REQ )?(?:come )?(?:and )?(?:rescue|save) me",
    r"^(?:REQ )?(?:work|do (?:it|this|that)|put (?:it|this|that|THING)|get (?:it|this|that|"
    r"THING)) (?:together )?with me",
    r"^(?:I |REQ )?(?:can )?(?:need|want|like|use|have) (?:your )?(?:help|support|backup)",
)
DO_VERBS = "bring|get|put|open|close|clean|fill|turn|go|tidy|leave|take|hand"
WHERE_TO = any_of_these(
    rf"^where (?:do|be|must|can)? ?(?:I|we|you|{N}) (?:want |like )?(?:me |us )?(?:to )?(?:put|"
    rf"go|belong|bring|leave|take|have|live|be put|suppose)",
    rf"^(?:where|what PLACE|which PLACE|which room) (?:do|must|can|be) {N} (?:go|belong|put|"
    rf"suppose|to go|have to go|meant|live|need to)",
    rf"\b(?:which|what) (?:\w+|PLACE) (?:be|do|can|must) {N} (?:be )?(?:meant|suppose|go|belong|"
    rf"for|to go)\b",
    r"^what (?:else )?(?:do |must |can |be )?(?:go|belong|put|be suppose to go|need to go|"
    r"meant to be) "
    r"(?:on|in|into|onto|to|inside) PLACE",
    r"^(?:do|must|be) THING (?:go|belong|live|be suppose to go|suppose to go|meant to go) (?:in|"
    r"on|to|at|into|here|there)",
    r"^be (?:it|this|that|here|PLACE) where THING (?:go|belong|live|be suppose|must)",
    r"\bTHING (?:and )?where do (?:it|that|this|they) (?:go|belong|live)\b",
    rf"^where (?:must|do) {N} be\b|^where to put\b|^where to with\b",
)
WAY_TO = any_of_these(
    r"\bhow (?:do|can|would|should|could|did) (?:i|we|u|you) (?:get|go|come|walk|find) (?:in)?to\b",
    r"\b(?:which|what)(?: is| s|'s)? (?:the )?way\b|\b(?:show|tell) me the way\b",
    r"\b(?:i am|i'm|im|we are|we're) lost\b.*\b(?:where|how|way)\b",
)
"""Questions after the way to somewhere, as they are written."""
HEADING = any_of_these(
    r"\b(?:where|(?:which|what|to which) room) (?:be )?(?:you|your) (?:be )?(?:go|head|off|"
    r"put|take|bring|get|walk|destination|"
    r"want to go)\b",
    r"^where to(?: now| next)?$|^where you go|\bwhere (?:be )?you (?:be )?off\b",
)
ON_THE_WAY = re.compile(
    r"^(?:are |r )?(?:you|u|ya)(?: are|'re)? (?:still )?(?:going|heading|headed|off|"
    r"on (?:your|ur) way) "
    r"(?:over )?(?:to|into|in|towards) (?:the|a|your|my|that)\b"
)
"""A guess at where somebody is going, in the words as they were written: lemmas hide it."""
WHERE = any_of_these(
    r"\b(?:where|whereabouts|location)\b",
    r"\b(?:which|what) (?:room|drawer|PLACE|shelf|place|side|part)\b.*\b(?:be|have|find|see|"
    r"put|keep|in|hold)\b",
    rf"\b(?:do|have|can|did)? ?you (?:not )?(?:see|find) (?:any |where )?(?:of )?(?:my )?{N}",
    rf"^(?:REQ )?(?:ever |have |do |any )?see {N}|\byou go across|\bnot (?:see|find)\b",
    r"\b(?:can|do|be|able to|could)(?: I)? not (?:able to )?(?:see|find|look)\b",
    r"\bI (?:be )?(?:still )?(?:look|need to find|try to find|want to find|must find|"
    r"must look)\b",
    r"^look for\b|^anyone see\b|^any (?:sign|trace) of\b|^see any\b",
    rf"^(?:REQ )?(?:help me (?:to )?)?(?:find|look for|see)(?: me| us| out)? {N}(?! and)",
    rf"\b{N} (?:be |have |get |go )+(?:lose|missing|lost|disappear(?:ed)?|vanished)",
    rf"\b(?:lose|lost) (?:track of )?{N}",
    r"^be (?:there )?(?:any )?(?:THING|it) (?:be )?(?:in|on|at|near|inside|still|there|here|"
    r"around|upstairs|under|next|beside|by)\b",
    r"^be there (?:any )?THING",
    r"^what (?:room )?be (?:THING|it) (?:in|on|at|near)\b",
    r"^(?:(?:have|do|did) )?(?:any|some)(?:body|one)? (?:see|know|find)",
)
YOU_TAKE = any_of_these(
    rf"^(?:REQ )?(?:and )?you (?:can |must |be |get |better )*(?:take|have|handle|own|get|do|"
    rf"hold)(?: care of)? (?:over )?(?:all |both )?(?:of )?{N}(?: one| ones| instead| then|"
    rf" now| over| yourself| here| and I .*| and {N}| this time| for me| task| job| part)*$",
    rf"^(?:REQ )?(?:you )?(?:can |must )*(?:take care of|see to|deal with|be in charge of|"
    rf"look after|take over|be responsible for|take on|take charge of|take responsibility for|"
    rf"attend to|sort out)(?: {N})?\b",
    rf"^(?:REQ )?(?:you )?(?:handle|take|do)(?: (?:that|this|other|left|right|last|first|next|"
    rf"other))* ?(?:{N}|part|other|rest|job|task|others|everything)(?: one| ones| stuff|"
    rf" thing| things| instead| now|"
    rf" then| yourself| over| for me| from here| this time| part| job| with you| off my hand|"
    rf" task| and {N}| from me)*$",
    rf"\b(?:{N}|everything|rest|other(?: one)?|job|task|part)(?: one| ones| part| job|"
    rf" task)? (?:be |can be |must be )(?:all )?(?:yours|your (?:job|task|part|turn|share|duty|"
    rf"responsibility|one|business|problem)|up to you|for you|on you|in your hand|in your care)",
    r"^(?:it be )?your (?:turn|job|task|go|move|part|responsibility|duty|call|problem)\b",
    r"^(?:all )?yours(?: now)?$|^over to you|^up to you|^be my guest|^after you|^you do$|"
    r"^you first$|^you be (?:on|up)\b",
    rf"^(?:REQ )?you be (?:on|in charge of|responsible for) {N}",
    rf"\bI (?:can |be |be go to )*(?:leave|let|bring you|hand|pass) (?:you )?(?:with |have |take |"
    rf"do |handle |get )*(?:all )?{N}(?: one| part| job)*(?: (?:to|for|with) you.*)?$",
    r"\bI (?:can |be |must )*(?:leave|bring|hand) (?:over )?(?:THING|it|that|this|PLACE|rest|"
    r"everything)(?: over)? (?:to|for|with) you",
    rf"^I (?:can )?(?:want|need|like|rather|think|say) (?:you (?:to )?(?:do|take|handle|get|"
    rf"have)|if you (?:take|do|handle)) {N}(?: one| instead)*$",
    rf"^(?:it be |that be )?(?:better|best) (?:if )?you (?:take|do|handle|get) {N}",
    rf"\byou (?:take|have|do|handle|get) {N}(?: one)*,? (?:and )?I (?:can |be )*(?:take|have|"
    rf"do|handle|get)\b",
    rf"\bI (?:can |be )*(?:take|have|do|handle|"
    rf"get) {N}(?: one)*,? (?:and )?(?:so )?you (?:can )?(?:take|have|do|handle|get)\b",
    rf"^(?:REQ )?(?:why )?(?:do )?not you (?:take|do|handle|get|have) {N}",
    rf"^{N} (?:be )?(?:yours|to you)$|^(?:REQ )?(?:you )?(?:can )?(?:best )?take {N} on$",
    rf"^leave {N} to you|^for you(?: {N})?$|^{N} for you$",
    rf"^(?:REQ )?leave .* to yourself|^you get {N} up",
    rf"^(?:REQ )?(?:have|own) {N}(?: one| instead| now)*$|^let you ",
    rf"^you (?:be )?(?:with|on) {N}$",
)
I_TAKE = any_of_these(
    rf"^I (?:(?:can |be |must |want to |be go to |go to |rather )+(?:take|have|do|doing|handle|"
    rf"get|own|clean|fill|put|bring|open|close|turn|go|see to|hold|on|with|in charge of)|have|"
    rf"have get|take|do|handle|get|own|hold|see to)(?: care of| care about| over)? (?:all |"
    rf"both )?(?:of )?{N}",
    r"^(?:REQ )?(?:let me|allow me to) (?:take|have|do|handle|get|clean|fill|put|bring|open|"
    r"turn|see to|deal)",
    r"^(?:REQ )?leave (?:THING|it|that|this|them|PLACE)(?: one| part)* (?:to|for|with) (?:me|us)",
    rf"\b(?:{N})(?: one)? (?:be )?(?:mine|my (?:job|task|part|share|turn|one))\b",
    r"^(?:my turn|mine|my job|I be on it|I get it|I get this|I have it|I have this|I do it|"
    r"I do that)\b",
)
_HANDLING = (
    r"(?:touch|take|get|put|bring|clean|fill|handle|do|open|close|turn|bother with|pick|"
    r"(?:mess|missing) with|play with|(?:go|come) (?:anywhere )?near)(?: (?:up|with|on|off))*"
)
_LEAD = r"^(?:(?:REQ|no|stop|wait|hey|please|you|so|but|and|okay|now|just|must|can|do) )*"
_ONE = r"(?:my |of |both |all |REQ )*(?:THING|PLACE)"
_AND_ON = (
    r"(?:(?: (?:and|but|just|please|then|instead))* "
    r"(?:do|go|continue|take|bring|get|put|handle|keep)"
    r"(?: (?:on|with|to|the|rest|others?|thing|everything|else|all|your|own|work|task))*)?$"
)
"""End of a line that has the robot go on with everything else."""
AWAY = any_of_these(
    rf"{_LEAD}(?:stay|keep|steer|get|go|put|step|back|stand|be) (?:well |far |right )*"
    rf"(?:clear of|away from|clear from|off of|off) {_ONE}{_AND_ON}",
    rf"{_LEAD}(?:get |take |keep )?(?:your )?hands? (?:off of|off|away from|from) {_ONE}{_AND_ON}",
    rf"{_LEAD}(?<=stop )(?:touch|(?:mess|missing|play|bother) with) {_ONE}{_AND_ON}",
    rf"{_LEAD}not (?:you )?(?:be |to |ever |even |REQ )*{_HANDLING} {_ONE}{_AND_ON}",
    rf"^(?:no )?I (?:can |do )?not want (?:that )?you (?:to )?{_HANDLING} {_ONE}{_AND_ON}",
    rf"{_LEAD}(?:leave|let) {_ONE} (?:alone|be){_AND_ON}",
)
"""Words that keep the robot from one thing, and from nothing else."""
SPARE = any_of_these(
    AWAY.pattern,
    rf"^(?:REQ )?not (?:you )?(?:take|touch|get|put|clean|handle|do|bring|open|close|fill|turn|"
    rf"go|worry about|go near|bother with|pick|mess with)"
    rf"(?: up| with| on| off| near| about| for)* {N}",
    r"^(?:REQ )?(?:stay away from|keep away from|keep (?:your )?hands? (?:off|from)|hands? off|"
    r"not touch|stay off|leave|let) (?:my |of |both |all )*(?:THING|PLACE)"
    r"(?: alone| be| stay| lie| there| here| where (?:it|they) be| as (?:it|they) be| then| now|"
    r" for now| please)*$",
    rf"^(?:you )?(?:do )?(?:not need to|need not(?: to)?|not have to|must not|"
    rf"no need(?: for you)? to) (?:bother with|worry about|take|touch|get|put|"
    rf"clean|handle|do|bring|fill|open) (?:up )?{N}",
    rf"^never mind (?:about )?{N}|^(?:REQ )?(?:forget|skip|ignore) (?:about )?(?:THING|PLACE)",
)
"""Words of somebody who wants a thing left alone, whoever sees to it."""
DOING = any_of_these(
    r"\bwhat (?:be )?(?:it|that|this|THING)?\b.*\bin your hand\b",
    r"\bwhat (?:be )?(?:you|your) (?:be )?(?:doing|up|do|plan|work|hold|take|bring|get|put|"
    r"think(?! (?:about|of)\b)|try|look|have|next|go|carry|goal|current|task|job|"
    r"intention|status|busy|activity|in|aim|at|want|make|handle|clean|see|after|activities|"
    r"working)\b",
    r"\bwhat (?:be )?you$",
    r"\b(?:what|which) \w+ (?:be|do|have) you\b|^what be doing\b|"
    r"\bwhat be (?:it )?you (?:be )?(?:about|doing|go|do)\b",
    r"\bwhat (?:thing |item |task |job |part )?(?:be|do|have|can)? ?you (?:be |currently |"
    r"go to |plan to |want to |do |just )*(?:doing|do|up|plan|work|hold|take|bring|get|put|"
    r"think(?! (?:about|of)\b)|try|look|have|next|go|handle|clean|start|see|"
    r"busy|engage|occupied|after|make|done|want|accomplish|achieve)\b",
    r"\bwhat (?:be )?(?:go(?: on)?|happening|happen|up|cooking|status|plan|progress|new|"
    r"going on)\b",
    r"^(?:what|so) (?:now|next)$|^what (?:be )?next$|^what (?:be )?(?:your )?(?:next )?(?:move|"
    r"step|plan)",
    r"^(?:REQ )?(?:tell|give|bring)? ?(?:me |us )?(?:your |on |about |"
    r"with )*(?:current )?(?:status|report|update|progress|activity|plan|situation)\b",
    r"^(?:REQ )?(?:keep|bring) me (?:posted|updated|up to date)",
    r"^be you (?:still |be |currently )*(?:busy|doing|work|do|free|done|ready|finish|put|go|"
    r"hold|stuck|there|at|handle|take|get|bring|clean|idle|occupied|look|wait|plan|on|try|find|"
    r"open|make|fill)\b",
    r"^you (?:still |be )*(?:busy|doing|done|ready|okay|free|idle|finish)\b",
    r"^(?:how|hows) (?:be |do )?(?:it|you|thing|things|work|everything|that|progress|"
    r"your)\b(?! belong)",
    r"^how far (?:be |have )?(?:you|along)|^how (?:be )?you (?:do|get)",
    r"^(?:have|do) you (?:already |get |have |do |finish )*(?:do|done|get|bring|take|put|clean|"
    r"find|handle|make|open|fill|turn|finish|work|start)\b",
    r"^why (?:be|do|have) you\b|^why you\b",
    r"^which (?:one |THING |thing |task |part |job |of (?:them|those|these) )?(?:be|do|"
    r"have)? ?you\b",
    r"^(?:tell|say) (?:me )?(?:what|which) you\b|^what you\b|^you doing (?:what|anything|okay)",
    r"\byour (?:status|plan|progress|current task|next move|next step|intention)\b",
    r"^(?:do you )?have (?:you )?plan\b|^do you have (?:a )?plan",
    r"^anything (?:you be|you do|happening)|^be anything happening|^you okay$|^talk to me$",
    r"^(?:REQ )?(?:tell|explain)(?: me)?(?: what| about)? you(?:r)? ?(?:be )?(?:doing|plan|do|"
    r"up to|action|self|work)",
)
REPORT = any_of_these(r"\b(?:update|status|report|progress)\b")
NEEDS = (
    r"^(?:REQ )?I (?:can )?(?:need|want)(?: to have)? (?:both |all )?(?:THING|PLACE|it|that)"
    r"(?: from PLACE)?(?: now| here| next| right)*$"
)
"""Words of somebody who needs a thing: it is brought to them."""
DO = any_of_these(
    NEEDS,
    r"^(?:REQ )?(?:PLACE )?THING (?:on|off)$|^REQ (?:PLACE )?THING be (?:off|on|open|close|clean|"
    r"full)$",
    r"^(?:both|all)(?: of)?(?: \w+)? THING (?:to|in|into|on|onto|inside|at|next to|"
    r"beside) (?:PLACE|THING)",
    rf"^(?:REQ )?(?:go and |now |then |first |and )*(?:{DO_VERBS})\b",
    r"^(?:REQ )?(?:go |come )(?:to|back|here|over|into|in|with|away|near|closer)",
    rf"\b{N} (?:must|need|have to|want|go|belong|can|be to|be meant|need to)(?: to)?(?: be| go|"
    rf" have)?(?: to)? ?(?:put|go|bring|clean|fill|turn|open|close|be|on|in|to|into|at|next|"
    rf"live|take|get|over|there|here|onto|inside|with|by|from|near|beside|a)\b",
    r"^(?:I|we) (?:can )?(?:need|want)(?: to have| to see)? (?:THING|PLACE|it|that|this|"
    r"them) (?:to (?:be |go )?)?(?:clean|fill|open|close|turn|put|bring|on|in|to|into|at|next|"
    r"over|here|there|onto|inside|by|near|beside|from|take|off)\b",
    r"^(?:REQ )?(?:I (?:can )?(?:need|want) )THING$",
    rf"^(?:can|must) I (?:have|get) {N}|^REQ THING .*\b(?:on|in|into|onto|inside|at) (?:PLACE|"
    rf"THING)",
    r"^THING (?:to|in|into|on|onto|inside|at|next to|beside|over to) (?:PLACE|me|THING|here|"
    r"there)",
    r"^(?:REQ )?(?:get out of|out of|clear) (?:my |the )?way|^(?:REQ )?(?:put|step|go) (?:away|"
    r"aside|over)$|^over here$|^(?:REQ )?(?:here|to me)$",
    rf"^(?:REQ )?keep {N} (?:in|on|inside) PLACE",
    rf"^(?:REQ )?(?:make|have|keep|see) {N} (?:turn|clean|open|close|full|shiny|go|be|on|off)\b",
    rf"^(?:REQ )?make sure {N}",
)
YES = any_of_these(
    r"^(?:yes|sure|fine|agreed|deal|good|great|perfect|sounds? good|go for it|do it|"
    r"do that|of course|absolutely|definitely|why not|correct|exactly|you do|that be (?:good|"
    r"fine|right)|works? for me|be do)\b"
)
NO = any_of_these(r"^(?:no|not necessary|negative|I disagree|rather not|disagree|better not)$|^no ")
THANKS = any_of_these(
    r"^(?:thank|thanks|good (?:job|work)|well done|nice(?: work| job)?|great (?:job|"
    r"work)|awesome|cheers|you be great|you be good)"
)
HELLO = any_of_these(
    r"^(?:good (?:morning|day|afternoon|evening)|greetings|howdy|bye|goodbye|see you|"
    r"nice to meet)"
)
