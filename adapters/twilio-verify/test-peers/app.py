"""Twilio's SDK for Python, unmodified: reads a call from each line of JSON, and writes its answer or its error."""
import json
import sys
from datetime import datetime

from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

user, password, url, service = sys.argv[1:]
client = Client(user, password)
client.verify.base_url = url
verify = client.verify.services(service)

CALLS = {
    "create": lambda given: verify.verifications.create(**given),
    "check": lambda given: verify.verification_checks.create(**given),
    "fetch": lambda given: verify.verifications(given["sid"]).fetch(),
    "update": lambda given: verify.verifications(given["sid"]).update(status=given["status"]),
}


def shown(answer):
    return {
        "sid": answer.sid,
        "to": answer.to,
        "channel": answer.channel,
        "status": answer.status,
        "valid": answer.valid,
        # A date in another form than the SDK expects stays a text.
        "dated": isinstance(answer.date_created, datetime) and isinstance(answer.date_updated, datetime),
    }


for line in sys.stdin:
    name, given = json.loads(line)
    try:
        said = shown(CALLS[name](given))
    except TwilioRestException as error:
        said = {"http": error.status, "code": error.code, "says": error.msg}
    print(json.dumps(said), flush=True)
