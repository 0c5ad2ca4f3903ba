"""POST /credit-report-webhook: verify the event, fetch the report, store it, then answer 204. After any other answer the
service sends the event again, for three days. Python 3.9 or newer, no library."""
import base64, hashlib, hmac, json, os, re, sys, time, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

def setting(name):
    return os.environ.get(name, "").strip() or sys.exit(f"{name} is not set")

def read_key(secret):
    try:
        key = base64.b64decode(secret[6:], validate=True)
    except ValueError:
        key = b""
    is_usable = secret.startswith("whsec_") and len(key) >= 24
    return key if is_usable else sys.exit("WEBHOOK_SECRETS: each is whsec_ and the base64 of 24 bytes or more")

# "whsec_…", shown once when the webhook was added; two, with a space between, while you replace one.
KEYS = [read_key(secret) for secret in setting("WEBHOOK_SECRETS").split()]
SERVICE, TENANT, FOLDER = setting("CREDIT_SERVICE_URL"), setting("TENANT_ID"), setting("REPORTS")
CREDENTIALS = {"grant_type": "client_credentials", "client_id": setting("CLIENT_ID"), "client_secret": setting("CLIENT_SECRET")}
ID = re.compile(r"[A-Za-z0-9_-]{1,100}")

class Refused(Exception):
    """Not an event of the service: a repeat would not change that."""

def read_event(headers, body):
    id, sent, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not ID.fullmatch(id) or not re.fullmatch("[0-9]{1,12}", sent): raise Refused("not an event")
    if abs(time.time() - int(sent)) > 300: raise Refused("more than five minutes from this clock")
    signed = f"{id}.{sent}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in KEYS]
    if not any(hmac.compare_digest(one, given.encode()) for one in expected for given in signatures.split(" ")):
        raise Refused("the signature does not match")
    try:
        event = json.loads(body)
        type, report_id = event["type"], event["data"].get("creditReportId", "")
    except (ValueError, TypeError, KeyError, AttributeError): raise Refused("not an event")
    if type == "credit-report.completed" and not ID.fullmatch(report_id): raise Refused("no creditReportId")
    return id, type, report_id

def call(path, headers, form=None):
    """The body of a 2xx; raises on anything else. The service waits ten seconds for this server: two calls of four."""
    data = form and urllib.parse.urlencode(form).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVICE + path, data, headers), timeout=4) as answer: return answer.read()

def store(name, content):
    with open(f"{FOLDER}/{name}.part", "wb") as file: file.write(content)
    os.replace(f"{FOLDER}/{name}.part", f"{FOLDER}/{name}")

class Handler(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        try:
            length = self.headers.get("content-length", "")
            if not re.fullmatch("[0-9]{1,5}", length): raise Refused("no length, or more than 99,999 bytes")
            id, type, report_id = read_event(self.headers, self.rfile.read(int(length)))
            if type == "credit-report.completed" and not os.path.exists(f"{FOLDER}/{id}.event"):
                token = json.loads(call("/v1/oauth/token", {}, CREDENTIALS))["access_token"]
                report = call(f"/{TENANT}/v1/credit-reports/{report_id}", {"Authorization": f"Bearer {token}"})
                if json.loads(report)["data"]["status"] != "complete": raise RuntimeError(f"report {report_id} is not complete")
                # Your database: the report and the event's id, in one transaction. "test" in it is true when the report is invented.
                store(f"{report_id}.json", report)
                store(f"{id}.event", b"")
            status = 204
        except Exception as error:
            self.log_error("%s", error)
            status = 400 if isinstance(error, Refused) else 503
        self.send_response(status)
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Handler).serve_forever()
