"""Pages of operators' accounts, for those who administer: by the same rules as the commands."""

from __future__ import annotations

import asyncio
from datetime import datetime

from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import RedirectResponse, Response

from server.operator_accounts import Role, check_password, hash_password, plain_name, read_name
from server.store import operator_changes
from server.store.operator_changes import AccountError
from server.store.operators import (
    LastAdministratorError,
    administers_still,
    all_operators,
    count_sign_ins,
    has_operators,
    operator_named,
)
from server.web.application_state import AppState
from server.web.errors import PageError, not_found
from server.web.forms import Form
from server.web.operator_standing import RoleError, Standing
from server.web.operators.route_roles import Operator

router = APIRouter(default_response_class=Response)


@router.get("/operator/accounts")
async def accounts(request: Request, state: AppState, operator: Operator) -> Response:
    """List the accounts, and offer another one."""
    async with state.database.transaction() as db:
        rows = await all_operators(db)
        signed_in = await count_sign_ins(db, state.now())
    return state.pages.show(
        request,
        "operator_accounts.html",
        rows=rows,
        signed_in=signed_in,
        roles=[role.word for role in Role],
        operator=operator,
    )


@router.post("/operator/accounts")
async def add(request: Request, state: AppState, operator: Operator) -> Response:
    """Add an account."""
    form = await state.csrf.check(request)
    try:
        name, role = read_name(form.get("name", "")), Role.of(form.get("role", ""))
        password = form.get("password", "")
        check_password(password, name)
    except ValueError as error:
        raise _refusal(str(error)) from error
    if password != form.get("again", ""):
        raise _refusal("the two passwords differ")
    # In a thread that holds no lock of Python's: those who play notice nothing.
    kept = await asyncio.to_thread(hash_password, password)
    try:
        async with state.database.transaction() as db:
            await _check_standing(db, operator)
            await operator_changes.add(db, operator.who, name, role, kept, state.now())
    except AccountError as error:
        raise _refusal(str(error)) from error
    return RedirectResponse("/operator/accounts", 303)


@router.get("/operator/accounts/{name}")
async def account(request: Request, state: AppState, operator: Operator, name: str) -> Response:
    """Show an account with what can be done to it, and what each would do."""
    async with state.database.transaction() as db:
        row = await operator_named(db, plain_name(name))
        signed_in = await count_sign_ins(db, state.now())
    if row is None:
        raise not_found()
    return state.pages.show(
        request,
        "operator_account.html",
        row=row,
        signed_in=signed_in.get(row.name, 0),
        roles=[role.word for role in Role],
        operator=operator,
    )


@router.post("/operator/accounts/{name}")
async def change(request: Request, state: AppState, operator: Operator, name: str) -> Response:
    """Give another role, sign browsers out, or remove the account."""
    form = await state.csrf.check(request)
    try:
        async with state.database.transaction() as db:
            await _check_standing(db, operator, plain_name(name))
            await _change(db, operator.who, plain_name(name), form, state.now())
    except AccountError as error:
        raise _refusal(str(error)) from error
    except LastAdministratorError as error:
        raise _refusal(
            f"{error}: give another account that role first. Only the command, on the server's "
            "machine, does it to the last"
        ) from error
    return RedirectResponse("/operator/accounts", 303)


async def _check_standing(db: AsyncSession, operator: Standing, target: str = "") -> None:
    """Raise RoleError where somebody may no longer administer whose request was on its way.

    An account's role may have been taken away; the token administers until there is an account.
    """
    if operator.has_account:
        may = await administers_still(db, operator.who, target)
    else:
        may = operator.who != "token" or not await has_operators(db)
    if not may:
        raise RoleError(operator, Role.ADMINISTER)


async def _change(db: AsyncSession, who: str, name: str, form: Form, now: datetime) -> None:
    match form.get("change", ""):
        case "role":
            try:
                role = Role.of(form.get("role", ""))
            except ValueError as error:
                raise AccountError(str(error)) from error
            await operator_changes.change_role(db, who, name, role, now)
        case "sign_out":
            await operator_changes.sign_out(db, who, name, now)
        case "remove":
            await operator_changes.remove(db, who, name, now)
        case _:
            raise AccountError("expected one of the buttons of the page")


def _refusal(why: str) -> PageError:
    return PageError(409, "Nothing was done", f"This cannot be: {why}. Go back.", leads_home=False)
