"""What KubeRay takes in a RayJob (ray.io/v1): the fields of its types, and those that it wants.

Anything else is refused here, as the server does with strict field validation.
"""

from __future__ import annotations

from typing import Any

_TEXT: dict[str, Any] = {"type": "string"}
_NUMBER: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
_TRUTH: dict[str, Any] = {"type": "boolean"}
_TEXTS: dict[str, Any] = {"type": "object", "additionalProperties": _TEXT}
_OPEN: dict[str, Any] = {"type": "object"}


def _object(required: str = "", **fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": required.split(),
        "additionalProperties": False,
    }


_QUANTITY = {"type": "string", "pattern": r"^[0-9.]+(m|[KMGT]i?)?$"}
_QUANTITIES = {"type": "object", "additionalProperties": _QUANTITY}
_CONTAINER = _object(
    "name image",
    name=_TEXT,
    image=_TEXT,
    env={"type": "array"},
    resources=_object(requests=_QUANTITIES, limits=_QUANTITIES),
)
_TEMPLATE = _object(
    "spec",
    metadata=_OPEN,
    spec=_object(
        "containers",
        containers={"type": "array", "items": _CONTAINER, "minItems": 1},
        serviceAccountName=_TEXT,
        terminationGracePeriodSeconds=_NUMBER,
        nodeSelector=_TEXTS,
        tolerations={"type": "array"},
    ),
)
_HEAD = _object(
    "rayStartParams template", serviceType=_TEXT, rayStartParams=_TEXTS, template=_TEMPLATE
)
_WORKERS = _object(
    "groupName minReplicas maxReplicas rayStartParams template",
    groupName=_TEXT,
    replicas=_NUMBER,
    minReplicas=_NUMBER,
    maxReplicas=_NUMBER,
    numOfHosts=_NUMBER,
    rayStartParams=_TEXTS,
    template=_TEMPLATE,
)
_CLUSTER = _object(
    "headGroupSpec",
    headGroupSpec=_HEAD,
    workerGroupSpecs={"type": "array", "items": _WORKERS},
    rayVersion=_TEXT,
    enableInTreeAutoscaling=_TRUTH,
    autoscalerOptions=_OPEN,
)
RAY_JOB = _object(
    "apiVersion kind metadata spec",
    apiVersion={"const": "ray.io/v1"},
    kind={"const": "RayJob"},
    metadata=_object("name", name={"type": "string", "pattern": "^[a-z][-a-z0-9]{0,46}$"}),
    spec=_object(
        activeDeadlineSeconds=_NUMBER,
        backoffLimit=_NUMBER,
        rayClusterSpec=_CLUSTER,
        submitterPodTemplate=_TEMPLATE,
        metadata=_TEXTS,
        entrypoint=_TEXT,
        runtimeEnvYAML=_TEXT,
        submissionMode={"enum": ["K8sJobMode", "HTTPMode", "InteractiveMode"]},
        entrypointNumCpus={"type": "number"},
        ttlSecondsAfterFinished=_NUMBER,
        shutdownAfterJobFinishes=_TRUTH,
        suspend=_TRUTH,
    ),
)
