<?php
// POST /credit-report-webhook: verify the event, fetch the report, store it, then answer 204. After any other answer the
// service sends the event again, for three days. PHP 8.1 or newer, no library.
ini_set('display_errors', '0'); // a warning printed into the answer would make it a 200
http_response_code(500); // until the report is stored

function stop(int $status, string $why): never {
  error_log("credit report webhook: $why");
  http_response_code($status);
  exit;
}

function setting(string $name): string {
  return trim((string) getenv($name)) ?: stop(500, "$name is not set");
}

// "whsec_…", shown once when the webhook was added; two, with a space between, while you replace one.
$keys = [];
foreach (preg_split('/\s+/', setting('WEBHOOK_SECRETS')) as $secret) {
  $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
  if ($key === false || strlen($key) < 24) stop(500, 'WEBHOOK_SECRETS: each is whsec_ and the base64 of 24 bytes or more');
  $keys[] = $key;
}
[$service, $tenant, $client, $clientSecret, $folder] =
  array_map('setting', ['CREDIT_SERVICE_URL', 'TENANT_ID', 'CLIENT_ID', 'CLIENT_SECRET', 'REPORTS']);

$body = (string) file_get_contents('php://input', false, null, 0, 65537);
[$id, $time, $signatures] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
if (!preg_match('/^[\w-]{1,100}$/D', $id) || !preg_match('/^\d{1,12}$/D', $time) || strlen($body) > 65536) stop(400, 'not an event');
if (abs(time() - (int) $time) > 300) stop(400, 'more than five minutes from this clock');
$isGenuine = false;
foreach ($keys as $key) {
  $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
  foreach (explode(' ', $signatures) as $signature) $isGenuine = hash_equals($expected, $signature) || $isGenuine;
}
if (!$isGenuine) stop(400, 'the signature does not match');

$event = json_decode($body, true);
if (!is_string($event['type'] ?? null)) stop(400, 'no type');
if ($event['type'] === 'credit-report.completed' && !file_exists("$folder/$id.event")) {
  $reportId = $event['data']['creditReportId'] ?? null;
  if (!is_string($reportId) || !preg_match('/^[\w-]{1,100}$/D', $reportId)) stop(400, 'no creditReportId');
  // False unless the answer is 2xx. The service waits ten seconds for this script: two calls of four.
  $call = fn ($path, $http) => @file_get_contents($service . $path, false, stream_context_create(['http' => ['timeout' => 4] + $http]));
  $token = json_decode((string) $call('/v1/oauth/token', ['method' => 'POST', 'header' => 'Content-Type: application/x-www-form-urlencoded',
    'content' => http_build_query(['grant_type' => 'client_credentials', 'client_id' => $client, 'client_secret' => $clientSecret])]), true);
  if (!isset($token['access_token'])) stop(503, 'no access token: is the service up, and the client secret right?');
  $report = $call("/$tenant/v1/credit-reports/$reportId", ['header' => "Authorization: Bearer {$token['access_token']}"]);
  if ((json_decode((string) $report, true)['data']['status'] ?? null) !== 'complete') stop(503, "no complete report $reportId");
  // Your database: the report and the event's id, in one transaction. "test" in it is true when the report is invented.
  foreach (["$reportId.json" => $report, "$id.event" => ''] as $name => $content) {
    $isStored = file_put_contents("$folder/$name.part", $content) !== false && rename("$folder/$name.part", "$folder/$name");
    if (!$isStored) stop(500, "cannot write to $folder");
  }
}
http_response_code(204);
