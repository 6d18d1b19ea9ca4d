# Pages of a visit. Short, kind, concrete.

privacy-models = In the study that you take part in, a language model reads parts of what you do and write. { $who } runs it.

next = Continue
yes = Yes
no = No

visit-step = Step { $number } of { $of }
visit-go-on = Go on with the study
visit-help = I have a problem
visit-stop = Stop taking part
visit-stop-after = Withdraw my data

# Less than half a minute is told in seconds.
some-minutes =
    { $minutes ->
        [0] { $seconds ->
            [one] { $seconds } second
           *[other] { $seconds } seconds
        }
        [0.5] half a minute
        [one] { $minutes } minute
       *[other] { $minutes } minutes
    }

## First page

arrival-by = A study by { $researchers }.
arrival-minutes = It takes about { some-minutes }.
arrival-needs =
    { $device ->
        [computer] You need a computer with a keyboard and a mouse.
        [touch] You need a phone or a tablet with a touch screen.
        [tablet] You need a tablet with a touch screen: a phone is too small.
        [large] You need a computer with a keyboard and a mouse, or a tablet: a phone is too small.
       *[any] You can use a computer, a tablet or a phone.
    }
arrival-paid = You are paid through { $recruiter }.
arrival-paid-otherwise = There is no fixed pay for completing it. Whatever else you earn is paid through { $recruiter }.
arrival-waiting-paid = Waiting is paid too.
arrival-unpaid = There is no pay for it.
arrival-free = You can stop at any moment.
arrival-begin = Begin
arrival-go-on = Go on
arrival-known = You began this study before. You go on where you were.
arrival-nothing-yet = Before you agree on one of the next pages, only that you came, when, and by which link is noted.
arrival-contact = Questions? Write to { $contact }.
arrival-preview = This is a preview. Accept the task first, then you can begin here.
arrival-preview-own = This is a preview for whoever runs the study: nothing begins here, and nothing is stored.
arrival-framed = The study needs a window of its own. When you are done there, you get a code and a button that hands in your work.
arrival-open = Open the study

already-heading = You have taken part already
already-text = Thank you! Everybody can take part once, and your visit has ended. You need do nothing more.
already-code = To see your code again, open this link in the browser that you took part in.
already-forgotten = You were forgotten: nobody can read any more who you are or what you wrote. Only a number is left by which this page knows that your id took part, because everybody can take part once.
already-withdraw-contact = Open this link in the browser that you took part in: its last page lets you withdraw. Or write to { $contact } and name your id at { $recruiter }.

link-unfilled-heading = This link was not filled in
link-unfilled-text = It still has a placeholder where your own id should be ({ $parameter }). Please open the study from { $recruiter } itself, not from a copied link.
link-e-mail-heading = Please keep your address to yourself
link-e-mail-text = The link has an e-mail address where an id belongs ({ $parameter }). We do not want to know it, and have not kept it. Open the study from { $recruiter }, or put in the id that you were given there.
link-missing-heading = This link is not whole
link-missing-text = It does not say who you are at { $recruiter } ({ $parameter } is missing), and without that we could not see to your pay. Please open the study from there.
link-malformed-heading = This link is damaged
link-malformed-text = Something in it is not as { $recruiter } writes it. Please open the study from there, or ask for the link once more.
link-forged-heading = This link is not one of ours
link-forged-text = Its signature does not fit what it says. Please copy the whole link, or ask { $recruiter } for yours.
link-not-pilot-heading = This kind of link is for pilots only
link-not-pilot-text = The study is running, and takes people by its own links. Please ask { $recruiter } for one.
no-study-heading = There is no such study here
no-study-text = The link may be cut off or mistyped, or the study is closed. Nobody has taken a place for you. If you were sent here, ask whoever sent you for the link once more.
prefetched-heading = This page waits for you
prefetched-text = Your browser looked at it before you did. Load it once more to open it.
expired-heading = This page was open for too long
expired-text = Nothing is lost. Open the link that you were given once more, and press the button there.
begun-elsewhere-heading = This visit was begun with another link
begun-elsewhere-text = Somebody with your id has begun this study already. If that was you, go on in the browser in which you began, or open the study from { $recruiter } once more. If it was not, or that does not help, write to { $contact }.
replayed-heading = This page was used in another browser
replayed-text = Somebody has begun the study with it already. If that was you, go on in the browser in which you began. To begin yourself, open the link once more.
no-visit-heading = We do not know you here
no-visit-text = This browser has not begun a study here, or it has gone on in another browser. Open the link that you were given once more: you come back to where you were.
closed-study-heading = This study is closed
closed-study-text = It is not running on this server any more. If you have not been paid yet, write to the people who invited you.
study-over-heading = This study is over
study-over-text = It takes nobody in any more. Thank you for coming. Nothing of your link was kept.
not-now-paused-heading = This study takes nobody just now
not-now-paused-text = It is paused. Nobody has taken a place for you, and nothing of your link was kept. Please try again later; if your recruiter asks whether you have taken part, you have not.
not-now-complete-heading = This study has all the people that it needs
not-now-complete-text = Thank you for coming. Nobody has taken a place for you, and nothing of your link was kept; if your recruiter asks whether you have taken part, you have not.
not-now-full-heading = All places are taken just now
not-now-full-text = As many people are taking part as the study can take. A place may become free again, which nobody can promise; none is kept for you, and without a visit no pay is owed. You have lost nothing by coming: nothing of your link was kept. Please try again in a while; if your recruiter asks whether you have taken part, you have not.

## Consent

consent-heading = Before you begin
consent-models = Parts of what you do and write are read by a language model that { $who } runs.
consent-whole = Whoever comes to the end is paid { $amount } { $currency }.
consent-whole-least = Whoever comes to the end is paid { $amount } { $currency } at least.
consent-bonus = Each task that is done in full adds { $amount } { $currency } if you come to the end; the practice does not count.
consent-pay-minutes = If your visit ends before you are done, its time is paid by the hour: { some-minutes } at most, and the time that you wait in the lobby besides, up to { $amount } { $currency } in all.
consent-pay-minutes-alone = If your visit ends before you are done, its time is paid by the hour, without the time that you wait in the lobby: { some-minutes } at most, up to { $amount } { $currency }.
consent-pay-minutes-only = If your visit ends before you are done, its time is paid by the hour: { some-minutes } at most, up to { $amount } { $currency }.
consent-pay = Where your time is paid by the hour, an hour earns { $rate } { $currency }, and all of it { $amount } { $currency } at most.
consent-pay-apart = Where your time is paid by the hour, an hour earns { $rate } { $currency }, an hour in the lobby { $waiting } { $currency }, and all of it { $amount } { $currency } at most.
consent-when =
    { $ending ->
        [no_partner] If too few people come in time
        [partner_left] If a partner leaves and the study cannot go on
        [technical_failure] If something of ours fails
        [over_recruited] If the study has all the people that it needs
        [screened_out] If your device, your answers or the practice are not what the study needs
        [attention_failed] If you answer wrongly where we ask whether you read the questions
        [timed_out] If your visit takes longer than the study lets it, or you do not say three times that you are ready
        [withdrew] If you stop taking part
       *[completed] If you come to the end
    }
consent-unpaid = { $when }, you are paid nothing.
consent-less = { $when }, you are paid { $amount } { $currency }, however long it took.
consent-attention = Among the questions are some that show whether they are read. If you answer one of them wrongly, the study ends for you there.
consent-attention-paid = Among the questions are some that show whether they are read. If you answer one of them wrongly, the study ends for you there, and you are paid for your time.
consent-sharing = May we give the recordings to other researchers?
consent-sharing-more = Without your name or your id. You can take part either way.
consent-training = May we train models on the recordings?
consent-training-more = So that robots learn from how people do it. You can take part either way.
consent-replay = May we replay what you did as somebody's partner?
consent-replay-more = Somebody else may then play beside a body that moves as you did. You can take part either way.
consent-version = Version { $version } of this text.
consent-agree = I agree and take part
consent-refuse = I do not agree
consent-missing = Please answer each question. Both answers are fine.

## Questions

eligibility-heading = Who you are
eligibility-lead = A few questions, to see whether the study is for you.
eligibility-age = How old are you?
survey-heading = Some questions
survey-lead = There are no right or wrong answers.
survey-lead-read = Please read each question before you answer it.
quiz-heading = Is it clear?
quiz-lead = Please answer these, so that we know that our explanation was good enough.
quiz-left =
    { $left ->
        [one] You have one try.
       *[other] You have { $left } tries.
    }
quiz-wrong =
    { $wrong ->
        [one] One answer is not right yet.
       *[other] { $wrong } answers are not right yet.
    } { $left ->
        [one] You have one more try.
       *[other] You have { $left } more tries.
    }
question-optional = (you need not answer)
question-range = A whole number from { $least } to { $most }
faults =
    { $count ->
        [one] One answer needs another look. The others are kept.
       *[other] { $count } answers need another look. The others are kept.
    }
fault-missing = Please answer this one.
fault-no-option = Please choose one of the answers here.
fault-too-few = Please choose at least { $least }.
fault-too-many = Please choose at most { $most }.
fault-no-number = Please write a number in digits.
fault-out-of-range = Please write a number from { $least } to { $most }.
fault-too-long = Please write at most { $most } characters.

## Device

device-heading = A look at your device
device-lead = We try out your screen and your connection, and keep the figures if you take part. It takes a few seconds.
device-measuring = Trying out …
device-ready = Done. You can continue.
device-ready-again = Ready to check again.
device-again = Check again
device-give-up = I cannot, end here
device-no-script = This study needs JavaScript. Please allow it for this site and load the page again.
device-lacks-size = Your window is too small: it needs { $width } by { $height } pixels. Make it larger, or use a larger screen, and check again.
device-lacks-webgl = Your browser cannot draw the house. Switch on hardware acceleration, or use another browser, and check again.
device-lacks-speed = Your device draws too slowly: it needs { $fps } pictures a second. Close other windows and programs, and check again.
device-lacks-nearness = Your connection is too slow: an answer has to come within { $rtt } milliseconds. Stop downloads, come closer to your router, and check again.
device-lacks-samples = We could not measure your connection often enough. Please check again.
device-lacks-incomplete = We could not measure your device. Please check again.
device-lacks-input =
    { $device ->
        [touch] This study needs a touch screen. Open the link that you were given once more on a phone or a tablet.
        [tablet] This study needs a touch screen. Open the link that you were given once more on a tablet.
       *[other] This study needs a keyboard and a mouse. Connect them and check again, or open the link that you were given once more on a computer.
    }

## Instructions, tutorial, lobby, play

chat-keep-private = Please write no names, phone numbers or addresses here.
instructions-heading = What you will do
tutorial-heading = Practise first
tutorial-human = You learn to move and to handle things as a human, in a house with a program that helps you. It takes a few minutes.
tutorial-robot = You learn to move and to handle things as a robot, in a house with a program that helps you. It takes a few minutes.
tutorial-limit = You have { some-minutes } for the practice, from when you begin. If you have not done it by then, the study ends for you there.
tutorial-left = You have { some-minutes } left for the practice. If you have not done it by then, the study ends for you there.
tutorial-criterion = The practice ends with a small task. When you have done it, you come back here and go on.
tutorial-missing = You have done the task. Some steps of the practice are still missing, so please practise once more:
skill-walk = walk
skill-pick = pick something up
skill-open = open something
skill-place = put something down
skill-put-inside = put something inside what you have opened
skill-change-state = wash, fill or switch something
skill-ask = write a line in the chat
tutorial-begin = Begin to practise
tutorial-back = Go back to the practice
lobby-heading = Ready to begin?
lobby-people =
    { $people ->
        [2] You do the tasks with one other person. You may have to wait for them, { some-minutes } at most.
       *[other] You do the tasks in a group of { $people }. You may have to wait for the others, { some-minutes } at most.
    }
lobby-groups =
    { $least ->
        [1] You do the tasks alone or in a group of up to { $people }.
       *[other] You do the tasks in a group of { $least } to { $people }.
    }
lobby-some-people = { lobby-groups } You may have to wait for the others, { some-minutes } at most.
lobby-yoked = { lobby-groups } You may have to wait until it is your turn, { some-minutes } at most.
lobby-paid = Waiting is paid.
lobby-alone = When you press the button, your home opens and the first task begins.
lobby-join = Find my group
lobby-begin = Begin
play-heading-task =
    { $done ->
        [0] The next task
        [one] One task is over
       *[other] { $done } tasks are over
    }
play-heading-failed-try = Try the same task again
play-heading-success = This task is done
play-heading-last-try-failed = On to the next task
play-heading-last-try = On to the next task
play-heading-practice = Practice is over
play-lead-failed-try = This try did not succeed. You can try the same task again: try { $next } of { $tries } comes next.
play-lead-success = You did it at try { $made } of { $tries }.
play-lead-last-try-failed = This try did not succeed, and it was the last of { $tries } at this task.
play-lead-last-try = That was the last of { $tries } tries at this task.
play-lead-practice = From here on it counts.
play-count =
    { $done ->
        [0] { $of ->
            [one] It is the only task.
           *[other] There are { $of } tasks in all.
        }
       *[other] { $done } of { $of } tasks { $done ->
            [one] is
           *[other] are
        } over.
    }
play-count-open = You go on as long as you like.
play-begins =
    { $people ->
        [one] It begins when you press the button.
       *[other] Everybody in your group has this button: whoever presses first begins it for all.
    }
play-try-again = Try again
play-next = Next task
play-explanation = About this try
play-percent = { $percent }% of what the task asks for was done.
play-mend = What would have put it right
play-report = Read the whole report again
report-go-on = Continue

debrief-heading = What it was about

## Help and withdrawal

help-heading = Something is not right?
help-lead = Tell us what happened. We know on which page you are, and it never costs you your pay.
help-chat-heading = Report what was written
help-chat-lead = Tell us what somebody wrote in the chat that they should not have. We know in which task that was, and it never costs you your pay.
help-chat-label = What was written?
help-label = What is the problem?
help-names = Please do not write names or addresses.
help-empty = Please write a few words, so that we know what to look for.
help-send = Send
help-back = Back to the study
help-sent-heading = Thank you
help-sent = We have what you wrote, and it goes to whoever runs the study.
help-contact = You can also write to { $contact }.
stop-heading = Stop taking part?
stop-lead = You can, at any moment and without a reason. You get your ending with its code, and the others of your group are told that you have left.
stop-data = What you did until now is then left out of the research.
stop-paid = You are paid for the time that you have spent, up to the most that this study pays for time.
stop-erase = Also delete what I have answered
stop-yes = Yes, stop here
stop-no = No, go on
stop-heading-after = Withdraw your data?
stop-lead-after = What you did is then left out of the research from now on. Your pay stays as it is.
stop-yes-after = Yes, withdraw
stop-no-after = No, keep it

## The end

end-heading-completed = Thank you, you are done
end-text-completed = You have done everything, and it is stored.
end-text-completed-withdrawn = You have done everything. Thank you.
end-heading-no-partner = We could not find you a partner in time
end-text-no-partner = That is no fault of yours. Thank you for waiting.
end-heading-partner-left = Your partner left
end-text-partner-left = That is no fault of yours. Thank you for taking part.
end-heading-technical-failure = Something failed on our side
end-text-technical-failure = That is no fault of yours. What you did until then is stored.
end-heading-over-recruited = All places are taken
end-text-over-recruited = More people came than we had places for. Thank you for coming.
end-heading-screened-out = This study does not fit this time
end-text-screened-out = Thank you for trying. Nothing more is needed from you.
end-text-screened-out-late = The practice took you longer than the time that this study gives for it. Thank you for trying. Nothing more is needed from you.
end-heading-attention-failed = The study ends here
end-text-attention-failed = A question that shows whether it is read was answered in another way than it asked for. The consent page said that the study ends then. Thank you for your time.
end-heading-timed-out = The time for this study is over
end-text-timed-out = It took longer than a visit may take. What you did until then is stored.
end-heading-no-consent = You do not take part
end-text-no-consent = That is fine. We keep that you came and said no, and nothing that you did.
end-heading-withdrew = You have stopped taking part
end-text-withdrew = That is fine, and you need give no reason.
end-withdrawn = You have withdrawn: what you did is left out of the research from now on.
end-owed = You will be paid { $amount } { $currency }.
end-owed-waiting = Of that, { $amount } { $currency } are for waiting.
end-owed-nothing = There is no pay for this ending.
end-code = Your code for { $recruiter }
end-copy = Copy
end-no-code = There is no code for this ending. You need not enter one at { $recruiter }: if you are asked for one, write to { $contact }.
end-no-code-paid = What you have earned is paid all the same.
end-way = Back to { $recruiter }
end-keep-way = Press the button before you close this page, so that { $recruiter } hears of it. If something is not right, write to { $contact }.
end-keep = You can close this page. If something is not right, write to { $contact }.

## Debrief by a link

debrief-link = What the study was about, and what we did not tell you at first: read it here, or keep this link. It works in any browser, and you can withdraw your data there.
own-data-name = Your data
own-data-link = What is kept of you, and for how long: see it or get it here, or keep this link. It works in any browser.
debrief-link-name = Your debrief
debrief-contact = Questions? Write to { $contact }.
debrief-until = You can do so until { $date }.
debrief-too-late = Data could be withdrawn until { $date }. If something is wrong, write to { $contact }.
