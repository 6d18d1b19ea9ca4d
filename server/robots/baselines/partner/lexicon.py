"""Words that the scripted partner knows: verbs, forms, contractions, and what changes nothing."""

from __future__ import annotations

from types import MappingProxyType


def _table(text: str) -> MappingProxyType[str, str]:
    rows = (row.partition("=") for row in " ".join(text.split()).split("; "))
    return MappingProxyType({word: meant for word, _, meant in rows})


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VERBS = _table(
    """
bring=bring fetch deliver give pass; get=get grab pick collect gather retrieve lift snatch;
put=put place set lay stick drop store stow stash return move carry transfer shift relocate
transport drag slide load unload shove toss throw pop chuck plop dump position arrange stack empty;
open=open unlock;
close=close shut; clean=wash clean rinse wipe scrub polish; fill=fill refill pour; turn=turn
switch power; go=go come walk head travel follow step drive run join meet approach; tidy=tidy sort
organise organize straighten; take=take; handle=handle manage cover tackle own finish;
leave=leave; see=see spot notice; find=find locate discover; look=look search hunt seek; stop=stop
halt freeze cease desist quit abort cancel discontinue; wait=wait pause; hold=hold; stay=stay
remain;
continue=continue resume proceed unpause; keep=keep; help=help assist aid support; work=work;
plan=plan intend; think=think; need=need require; want=want wish prefer; like=like love; know=know
remember; tell=tell show explain report say describe; try=try attempt; start=start begin;
belong=belong; touch=touch; struggle=struggle; lose=lose; make=make; let=let; use=use; do=do;
have=have; reach=reach; ask=ask; check=check; live=live sit lie
"""
)
"""Verbs by the one that stands for them in patterns."""

IRREGULAR = _table(
    """
brought=bring; gave=give; given=give; got=get; gotten=get; laid=lay; stuck=stuck; threw=throw;
thrown=throw; went=go; gone=go; came=come; ran=run; drove=drive; met=meet; took=take; taken=take;
left=left; saw=see; seen=see; found=find; sought=seek; froze=freeze; held=hold; kept=keep;
thought=think; knew=know; known=know; told=tell; said=say; shown=show; began=begin; lost=lose;
made=make; did=do; done=done; does=do; doing=doing; has=have; had=have; having=have; lay=lay;
is=be; are=be; am=be; was=be; were=be; been=be; being=be; could=can; would=can; will=can; may=can;
might=can; shall=must; should=must; ought=must; gotta=must; me=me; sat=sit;
supposed=suppose
"""
)
"""Verbs by their forms that no rule makes."""

CONTRACTIONS = _table(
    """
what's=what is; whats=what is; where's=where is; wheres=where is; who's=who is; how's=how is;
hows=how is; that's=that is; thats=that is; it's=it is; let's=let us; lets=let us; i'm=i am; im=i
am; i'll=i will; ill=i will; i've=i have; ive=i have; i'd=i would; id=i would; you're=you are;
youre=you are; ur=your; you'll=you will; youll=you will; you've=you have; we're=we are; we'll=we
will; we've=we have; don't=do not; dont=do not; didn't=did not; didnt=did not; doesn't=does not;
can't=can not; cant=can not; cannot=can not; couldn't=could not; won't=will not; wont=will not;
isn't=is not; aren't=are not; haven't=have not; shouldn't=should not; mustn't=must not;
needn't=need not; wouldn't=would not; u=you; r=are; y=why; pls=please; plz=please; pleas=please;
thx=thanks; ty=thanks; wanna=want to; gonna=going to; gotta=must; lemme=let me; gimme=give me;
whatcha=what are you; watcha=what are you; whatchu=what are you; whaddya=what do you; wyd=what are
you doing; wru=where are you; sup=what is up; wassup=what is up; dunno=do not know; whereis=where
is; whatre=what are; teh=the; hte=the; wat=what; wht=what; wut=what; waht=what; hwat=what;
whre=where; wher=where; were's=where is; cna=can; yuo=you; yu=you; ya=you; hlep=help; halp=help;
wot=what; hepl=help; hlp=help; sotp=stop; stpo=stop; stahp=stop; tkae=take; tak=take; od=do;
doin=doing; doin'=doing; goin=going; sec=second; secs=second; min=minute; b4=before; 2=to; 4=for;
n=and; bc=because; becuase=because; ok=okay; k=okay; yep=yes; yeah=yes; yup=yes; nope=no; nah=no;
wheres'=where is; bot=robot; cld=could; cud=could; wud=would; shud=should; plzz=please; dnt=do not;
dat=that; da=the; frm=from; fo=of; tho=though; em=them; 'em=them; somethin=something; gimmie=give
me
"""
)
"""Words that are written short, or often wrong, in full."""

POLITE = _words(
    """
actually already alright also asap basically bro buddy carefully currently dude even ever exactly
friend gently guys hello hey hi hm hmm honey immediately just kindly literally man mate maybe oh
okay pal partner perhaps please possibly quick quickly really robot simply sir so somehow sorry
still thanks though uh um well yo
"""
)
"""Words that change nothing of what is asked."""

ARTICLES = frozenset({"the", "a", "an", "some"})
POINTING = frozenset({"this", "that", "those", "these"})
BEFORE_NOUNS = _words(
    """
a an another any both clean dirty each empty every first full last my no of other our second some
that the these this those which your
"""
)
"""Words after which a word that may be a verb is a name."""

NOUNS = _words(
    """
apple apples banana bananas bag bags basket baskets bear bed beds bench blanket bottle bottles bowl
bowls box boxes bread broom brush bucket candle candles cap carpet chair chairs clock coat cookie
cup cups curtain curtains cushion cushions desk dress egg eggs fan flower flowers fork forks glass
glasses hammer hat hats jacket jar jug juice kettle key keys knife knives lamp lamps laptop lid
magazine milk mirror mop mug mugs napkin newspaper orange oranges oven pan pans paper pen pencil
phone pillow pillows plant plants plate plates pot pots radio remote ring rug scissors shampoo sheet
shirt shoe shoes soap sock socks sofa spatula sponge spoon spoons statue stool suitcase tablet
teapot tin tissue toaster tomato towel towels toy toys tray trousers truck vase vases wallet watch
"""
)
"""Names of things in houses, which are no typing errors where a house has none of them."""

TO_PLACES = frozenset({"in", "into", "on", "onto", "to", "inside", "under", "behind", "at"})
"""Words before a place where something is to go."""

NO_PLACES = _words(
    """
back back's bit bottom bottoms corner day edge end ends first floor floors front hand hands house
inside job last left list lot map matter meantime middle minute moment morning most much next one
ones open other others outside part partner person place places point rest right robot room rooms
same second share side sides start task thing things time times top view wait wall walls way whole
work world
"""
)
"""Words that name no place after these."""

COMMON = _words(
    """
above according across add afraid age ago agree air almost although always among angry answer
anyway apart appear around arrive asleep bad ball based beautiful become believe below big bit
black blue body bored boring born both bottom boy brain bright broken brown building built burn
business buy call called cat cause certain chance change cheap child children city class clear
clever climb closer cloud cold color colour comfortable common company complete computer confused
cook cool corner count country course crazy cross cry cute daily dance dark date day days dead
decide deep different dinner dirty doctor dog door doubt dream drink dry during ear early earth
easy eat edge either end energy english enjoy evening explain eye eyes face fact fall family
famous fast favourite feel feet few fight figure final fix fly follow food foot forever forgot
form found four free fresh front fun funny furniture further game garden gave girl glad gold gone
green grey ground group grow guess hair half happen happy hate head hear heard heart heat hello
helpful high history hit home hot hour hours house huge human hungry hurry hurt ice idea important
inside interesting job joke joy kid kids kill kind king language large late later laugh lazy learn
least less letter level lie life light line list little local lonely longer loud love low lucky
lunch mad main man many map mark mean means meant meet mess met middle mile million mistake model
money month morning mother mouse mouth movie much music name names natural nearly neither new news
next night noise normal north nose number odd often old older once only opinion order others
outside own page pain paint part party past patient people perhaps person pet phone pick picture
piece pink pizza plain play player please poor pretty problem purple push quite rain ran rather
reach read ready real reason red remember rich ride right river road rule run sad safe salt same
save scared school score screen second serious seven several shape sharp ship short shout sick
sight sign silly simple since sing single sister sit six size skin sky sleep slow slower small
smart smell smile snow soft someone sometimes son song soon sore sort sound south space special
stairs star start stay steal still store story strange street strong student stupid such sudden
sugar suggest summer sun sure surprise swim talk tall taste tea teach team tell ten test thick
thin third thought three through throw tired today together tomorrow tonight took top total touch
toward town train tree tried trip true trust truth try turn twice two type under until upset use
useful usual usually very view voice walk wall war warm wash waste water way weather week weird
west wet whatever wheel white whole wide wife wild win wind window winter wish within without
woman wonder wooden work world worry worse worst write wrong year yellow yes yesterday young
"""
)
"""Words of everyday English: no typing errors, whatever they look like."""

KNOWN = _words(
    """
able about best dear department grateful half hope hoping kind rest across again ahead all alone
along am and another any anything are area as ask at away
back be because been bother bothered behind beside between bit book books
both breath busy but by can care charge could cut deal did difficult dish dishes do does doing
done down drawer drop duty each else
emergency enough everyone everything far favor favour fire first floor for forget from gets go
goes going good great had hand hands hang happen happened happening hard has he heavy hello here
high hold horses how human i idea if in inside instead into is it item items job keep kitchen
knock last later left lend let lets listen location long look looking lost matter may me middle
might mind mine minute missing moment more much must my myself near need never next nice no not
nothing now of off okay on one ones onto or other our out over own part partner people person
place places plan please position possible possibly progress question quiet rather ready report
responsibility right robot room rooms same second shall share she shelf should side silence
something sorry sos sound speak start status still stuck stuff sure task than thank thanks that
their them themselves then there these they thing things this those time to together too top toys
trouble turn under up update us was way we well were what whats when where whereabouts which while
who whoa why will with word words would yes yet you your yours yourself
"""
)
"""Further words that are no typing errors."""

PLAIN = _words(
    """
able about area department duty haha lol show somebody someone something somewhere w wait woman
after again ahead air all alone along also and another any anyone anything anywhere appreciate
area arms around as aside ask assistance at attend away awesome back bad be because bed belong
below beside best better bit both bother breath brilliant bring busy but by can cap care chance
charge cheers clean close closer collect come concentrate corner could crack dark deal dear dirty
divide do doing door doors down drawer drawers each else empty end every everybody everyone
everything face fall favor favour few fill find first floor for forgot four free from front full
fun gentle get glad go going good grateful great ground guess half hand handle hands happen happy
hard hate have heavy help helpful here hope how hurry i idea if in inside instead into it its job
just keep kind knees know later lead least leave left lend less let light lights like little live
lonely lonesome long look lose lot love lovely lower make man matter maybe me mean mess middle
mind mine minute miss moment more most much must my myself near nearby nearest need never next
nice no not nothing now of off old on one ones only onto open opposite or other others our out
over own part past perfect person perfectly piece place places please power pretty problem push
put quiet rather reach ready real rest responsibility responsible rid right room rooms rq rush
safe same second see share should side since slow slowly small soon sort sos space split spot
stand start stay strong struggle stuck stuff sure sweet take task tell than thank thanks that them
then there these they thing things think this those three through tidy time to today together
tonight too top touch toward towards trouble try turn two under understand until up us use very
want water way we well what when where which while who why wish with within without wonder
wonderful wondering work worried worry would yes you your yours yourself
"""
)
"""Words of requests: a line with another may mean something else than its request seems to."""

ASKING = _words(
    """
abouts ago angle done doing dirty holding many across anyway bless blessed clue common earth
elsewhere end ended ending eye eyes forget forgot happened hidden hide hiding house inform know
last life location lost lucky missing outstanding pardon recall remember remain remaining remind
round sign spot suppose supposed trace turned undone upstairs downstairs whereabouts whichever who
whole whom whose yet hell heck actual belong meant person somebody anybody nobody mean excuse find
see look has hav quite exact exactly responsible part share role duty job
"""
)
"""Further words of questions."""

REMARKING = _words(
    """
absolutely accident afternoon again agreed am amazing apologies apologise apologize appreciated
awesome bad boss bump bumped button bye carry champ continue correct course day deal definitely
did didn doing downstairs evening exactly excellent fantastic fault forgive great greetings hear
hello hero hi howdy job legend lot lots luck mean meant meet meeting million mistake morning much
nice night okay oops ouch pardon proceed resume see sorry sounds sry star start stop sweet team
teamwork thank thanks there unpause upstairs was weather welcome were whoops wicked work works
wrong yes
"""
)
"""Further words of remarks."""

WONDERING = _words(
    """
action activities activity after ages aim aiming along altogether amount atm attempt because
before bound bring brought busy button call carried carry carrying check checked chores clean
cleaning closed cooking curious current describe destination did dirty divide doin done empty
engaged explain explaining far filled finger fingers finish finished first focus focused follow
following forgot fridge getting goal going gonna grip haha hahaha hands happening headed heading
heavy helping hold holding home house huh idle intention intentions item items jobs kept kitchens
lead lies list lit long look looked mind missed mission move moving need needs new news next
number object objects occupied off ongoing open opened peek plan planning plans presently press
progress purpose put q reason report right rn rooms run running search searched see shut sit sth
sitting situation slowly smth so something split stand standing started status step stood stop
stored stuck supposed switched tackle tackling take taking target task tasks then think thinking
today took total track turn turned twice undone update updates wait waiting walk walking wanted
washed washing wet whatever why win work worked working wrong young
"""
)
"""Words of questions about what somebody does, or what there is, beside those."""
