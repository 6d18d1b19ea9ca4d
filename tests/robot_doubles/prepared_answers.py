"""Model double with prepared answers."""

from __future__ import annotations

from server.robots.models import Message, ModelAnswer, ModelRequest


class PreparedAnswers:
    """Model double that gives prepared answers, whatever it is asked."""

    def __init__(self, *texts: str | Exception) -> None:
        self.texts = list(texts)
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        text = self.texts.pop(0) if self.texts else "Thought: That is all.\nDone[]\n"
        if isinstance(text, Exception):
            raise text
        return ModelAnswer(text=text, finish_reason="stop", model="answers")

    def messages(self, number: int = -1) -> tuple[Message, ...]:
        prompt = self.requests[number].prompt
        assert not isinstance(prompt, str)
        return prompt
