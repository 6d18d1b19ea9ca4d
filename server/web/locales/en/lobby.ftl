# The lobby: what people read while they wait for others, or for a home.

lobby-title = Lobby – Cohabit
lobby-one-moment = One moment
lobby-finding-partner = Finding you a partner
lobby-finding-team = Finding you a team
lobby-invite-partner = Invite your partner
lobby-invite-team = Invite your team
lobby-gathering = Your team is gathering
lobby-places = Places of the team
lobby-ready = I am ready
lobby-are-you-ready = Are you ready?
lobby-begin-now = Begin now, without the others
lobby-programs-fill = Programs play the free places.
lobby-places-are-left-out = Free places are left out, and those who come are counted anew: Person 4 may become Person 2.
lobby-leave = Leave the lobby
lobby-no-script = The lobby and the home need JavaScript. Please allow it for this site.

lobby-link-partner = Send this link to your partner
lobby-link-team = Send this link to the others
lobby-copy = Copy
lobby-link-pair-hint = It works once, for the first person who joins with it, and as long as this page is open.
lobby-link-team-hint = It works until everybody has come, and as long as somebody waits here.
lobby-link-begin =
    { $least ->
        [1] You need not wait: begin when you like.
       *[other] You can begin as soon as { $least } of you are here.
    }
lobby-links = Links for certain places
lobby-links-hint = Whoever joins with one of these plays that body. The other places are drawn.

lobby-position = Place in line
lobby-waiting = People who wait
lobby-time-left = Time left
lobby-begins-in = You begin in
lobby-waiting-for = Waiting for

lobby-next = What happens next
lobby-next-study = When your group is here, this page takes you to your home.
lobby-next-study-asked = When your group is here, you are asked whether you are ready, and this page takes you to your home.
lobby-next-turn = When it is your turn, this page takes you to your home.
lobby-next-turn-asked = When it is your turn, you are asked whether you are ready, and this page takes you to your home.
lobby-next-team = When you begin, a home is opened and this page takes you there.
lobby-next-pair = As soon as there are two of you, a home is opened and this page takes you there.
lobby-next-alone = As soon as a home is free, this page takes you there.
lobby-next-roles = One of you is the person, the other the robot. The robot cannot wash, fill or switch things.
lobby-next-robot = A robot cannot wash, fill or switch things.
lobby-next-task = Read the task; when you think that it is done, press Finish.
lobby-next-task-team = All of you read the same task. When you think that it is done, press Finish.
lobby-next-task-pair = You both read the same task. When you think that it is done, press Finish.

## Places

lobby-place-you = You
lobby-place-here = Here
lobby-place-away = On the way
lobby-place-open = Free
lobby-place-policy = A program
lobby-drawn-human = Person
lobby-drawn-robot = Robot
lobby-drawn-either = Person or robot

## While somebody waits

lobby-seconds =
    { $count ->
        [one] { $count } second
       *[other] { $count } seconds
    }
lobby-minutes =
    { $count ->
        [one] { $count } minute
       *[other] { $count } minutes
    }
lobby-opening = Your home is being opened.
lobby-opening-slow = One moment, please: your home takes longer than usual to open.
lobby-your-turn = It is your turn. Please say that you are ready.
lobby-you-are-ready = You are ready. You begin as soon as everybody is who begins with you.
lobby-waiting-for-others = Waiting for others.
lobby-waiting-for-turn = Your turn to begin has not come yet.
lobby-deadline-end = If they have not come after { $time }, the study is over for you then.
lobby-deadline-smaller = If they have not come after { $time }, you begin without the others, if enough are here.
lobby-deadline-robot = If they have not come after { $time }, a program takes the free place and you begin.
lobby-deadline-solo = If they have not come after { $time }, you begin alone.
lobby-deadline-survey = If they have not come after { $time }, you go on with the next page.
lobby-turn-deadline-end = If it has not come after { $time }, the study is over for you then.
lobby-turn-deadline-smaller = If it has not come after { $time }, you begin with those who are here, if they are enough.
lobby-turn-deadline-robot = If it has not come after { $time }, you begin all the same, with a program where somebody is missing.
lobby-turn-deadline-solo = If it has not come after { $time }, you begin alone.
lobby-turn-deadline-survey = If it has not come after { $time }, you go on with the next page.
lobby-waiting-is-paid = Your time here is paid.
lobby-keep-number = You keep your place (number { $position } in line), and there is nothing to do.
lobby-keep-until-open = You keep your place (number { $position } in line) and begin when they open again.
lobby-homes-paused = No new homes open for a while, because of a problem on our side.
lobby-homes-in-use = All homes are in use just now. One opens for your group as soon as one is free.
lobby-homes-too-busy =
    Homes are free, but the computer that runs them is too busy to open another one just now. It opens one after { $count ->
        [one] { $count } more calm second
       *[other] { $count } more calm seconds
    } in a row.
lobby-homes-busy-next = All homes are busy. You are next: we open one for you as soon as it is free.
lobby-homes-busy = All homes are busy. You are number { $position } in line.
lobby-not-offered = This team is not offered any more. Please leave the lobby and choose another.
lobby-robot-silent = The robot does not answer just now. You begin when it does, or play without it.
lobby-begin-with-that = You begin with that as soon as a home opens.
lobby-here =
    { $here ->
        [one] { $here } of { $people } people is here.
       *[other] { $here } of { $people } people are here.
    }
lobby-friend = Waiting for your partner to open the invitation.
lobby-friends = Waiting for the others to open their link.
lobby-partner = Waiting for one more person. You begin as soon as somebody comes.
lobby-partner-or-program = Waiting for one more person. If nobody has come after { $time }, a program plays the robot and you begin with it.
lobby-team = You begin as soon as everybody is.
lobby-team-or-programs = You begin as soon as everybody is, or with programs in their places { $time } after the first of you came.
lobby-team-or-fewer = You begin as soon as everybody is, or without the others { $time } after the first of you came.
lobby-team-or-programs-from = You begin as soon as everybody is, or with programs in their places { $time } after the first of you came, if at least { $least } are here.
lobby-team-or-fewer-from = You begin as soon as everybody is, or without the others { $time } after the first of you came, if at least { $least } are here.

## How a stay ends

lobby-home-ready = Your home is ready
lobby-taking-you = Taking you there …
lobby-lost = We lost the connection. Trying again …
lobby-outdated = This page is no longer up to date. Please join again from the start page.
lobby-elsewhere = You wait in another tab
lobby-wait-here = Wait here instead
lobby-over = You are not in the lobby any more
lobby-to-start = Back to the start
lobby-go-on = Continue
lobby-moment-heading = One moment, please
lobby-moment = Your home is being opened. This page looks for it by itself every few seconds.
lobby-not-opened-heading = The home did not open
lobby-back-soon-heading = We will be back in a minute
lobby-no-groups-heading = The tasks cannot begin just now
lobby-no-groups = Something is wrong on our side. Your place in the study is kept: please try again later.
closed-cancelled = You left the lobby.
closed-expired = Not enough people came in time. You are welcome to try again or to play alone.
closed-expired-study = There was no group or no home for you in time, which is no fault of yours. Please continue: the next page says what follows.
closed-unready = It was your turn, and we did not hear from you in time. You are welcome to join again when you are here.
closed-over-recruited = More people came than there is room for. Thank you for waiting.
closed-no-tasks = There is no task here that would be new to you, which is no fault of yours. Please continue: the next page says what follows.
closed-gone = The connection was lost for too long. Please join again.
closed-stopped = The server was restarted while you waited, which is no fault of yours. Please join again.
closed-going-away = The server is being restarted. You keep your place: this page comes back by itself.
closed-join-later = The server is being restarted. Please join again in a minute.
closed-not-opened-study = No home could be opened for you, which is a fault of ours and none of yours. Please continue: the next page says what follows.
closed-not-opened = The home could not be opened. Please try again in a few minutes.
closed-not-joined = You could not join just now. Please try again in a moment.
closed-plays-elsewhere = You are already in another home. The start page leads there.
closed-other-tab = You are already waiting in another tab.
closed-unexpected = The page said something unexpected: reload it.
closed-too-much = The page said too much: reload it.
closed-silent = The page said nothing: reload it.
closed-token = This page is too old, or not yours: reload it.
closed-old-page = Cohabit has been updated. Please join again from the start page.
