<?php // POST /credit-report-webhook: verify, answer, then fetch the report.
$secrets = explode(' ', getenv('WEBHOOK_SECRETS')); // whsec_… from "admin webhook add"; two while you rotate
$body = file_get_contents('php://input');
[$id, $time, $given] = array_map(fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
$sign = fn ($secret) => 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", base64_decode(substr($secret, 6)), true));
$isSigned = fn ($secret) => (bool) array_filter(explode(' ', $given), fn ($each) => hash_equals($sign($secret), $each));
if (abs(time() - (int) $time) > 300 || !array_filter($secrets, $isSigned)) { http_response_code(400); exit; }
$event = json_decode($body, true);
if ($event['type'] === 'credit-report.completed') {
  [$service, $tenant] = [getenv('CREDIT_SERVICE_URL'), getenv('TENANT_ID')];
  $call = fn ($path, $http) => json_decode(file_get_contents("$service$path", false, stream_context_create(['http' => $http])), true);
  $token = $call('/v1/oauth/token', ['method' => 'POST', 'header' => 'Content-Type: application/x-www-form-urlencoded',
    'content' => http_build_query(['grant_type' => 'client_credentials', 'client_id' => getenv('CLIENT_ID'), 'client_secret' => getenv('CLIENT_SECRET')])]);
  $report = $call("/$tenant/v1/credit-reports/{$event['data']['creditReportId']}", ['header' => "Authorization: Bearer {$token['access_token']}"])['data'];
  file_put_contents(getenv('REPORTS') . "/{$report['creditReportId']}.json", json_encode($report)); // your database
}
http_response_code(204);
