"""Hooks with knowledge that an API description lacks: which models, compute and endpoints exist, and which values are
consistent. Three in four valid cases are changed to use existing names; the others, and all invalid cases, are sent
unchanged.

Environment: CATALOG_WORLD, a JSON object with existing values: `namespace`, `author`, `model`, `recipePublicId`, and the
`provider` and `compute` of an endpoint that can be created.
"""

import faulthandler
import itertools
import json
import os
import signal
import zlib

import schemathesis

# Its deadline ends it with this signal: the stacks say what it waited for.
faulthandler.register(signal.SIGTERM, all_threads=True, chain=True)

WORLD = json.loads(os.environ["CATALOG_WORLD"])
IN_PATH = ("namespace", "author", "model", "recipePublicId")
# A motion of the robot is answered at its end: longer ones would be tested for minutes, and beyond the tester's own limit.
LONGEST_MOTION_S = 1
numbers = itertools.count()
# The names of existing endpoints, oldest first; a dict is an ordered set.
endpoints = {}


@schemathesis.hook
def before_call(context, case, kwargs):
    made = repr((case.method, case.path, case.path_parameters, case.body))
    # Stateful steps depend on one another, so all of them use the existing namespace.
    follows = case.meta.phase.name == "stateful"
    if case.meta.generation.mode.is_positive and isinstance(case.body, dict) and "durationS" in case.body:
        case.body = {**case.body, "durationS": min(case.body["durationS"], LONGEST_MOTION_S)}
    if not case.meta.generation.mode.is_positive or (zlib.crc32(made.encode()) % 4 == 0 and not follows):
        return
    for name in IN_PATH:
        if name in case.path_parameters:
            case.path_parameters[name] = WORLD[name]
    if "name" in case.path_parameters and endpoints and not follows:
        case.path_parameters["name"] = next(reversed(endpoints))
    if isinstance(case.body, dict):
        case.body = in_world(case.body)


@schemathesis.hook
def after_call(context, case, response):
    makes_endpoints = case.path.startswith(("/v2/", "/api/v1/", "/api/catalog/"))
    if not makes_endpoints or response.status_code != 200 or case.method not in ("POST", "DELETE"):
        return
    answer = response.json()
    name = answer.get("endpoint", answer)["name"]
    if case.method == "DELETE":
        endpoints.pop(name, None)
    else:
        endpoints[name] = True


@schemathesis.check
def is_no_bug(context, response, case):
    assert response.status_code != 500, response.text


def in_world(body):
    body = made_consistent(body)
    if "namespace" in body:
        body["namespace"] = WORLD["namespace"]
    if "repoId" in body:
        body["repoId"] = f"{WORLD['author']}/{WORLD['model']}"
    if "config" in body:
        body["config"] = made_consistent(body["config"])
    if "provider" in body:
        body["provider"] = {**WORLD["provider"]}
    if "compute" in body:
        body["compute"] = made_consistent({**body["compute"], **WORLD["compute"]})
    return body


def made_consistent(members):
    members = {**members}
    for name in ("name", "endpointName"):
        if members.get(name):
            members[name] = f"case-{next(numbers)}"
    if members.get("privateService"):
        members["type"] = "private"
    if "scaling" in members:
        members["scaling"] = valid_scaling(members["scaling"])
    return members


def valid_scaling(scaling):
    most, least = scaling.get("maxReplica", 1), scaling.get("minReplica", 0)
    scaling = {**scaling, "maxReplica": max(most, least), "minReplica": min(most, least)}
    if scaling["minReplica"] > 0:
        scaling.pop("scaleToZeroTimeout", None)
    return scaling
