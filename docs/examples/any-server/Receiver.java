// POST /credit-report-webhook: verify the event, fetch the report, store it, then answer 204. After any other answer the
// service sends the event again, for three days. `java Receiver.java`: JDK 17 or newer, no library.
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  /** Not an event of the service: a repeat would not change that. */
  static class Refused extends Exception { Refused(String why) { super(why); } }

  record Event(String id, String type, String reportId) {}

  // "whsec_…", shown once when the webhook was added; two, with a space between, while you replace one.
  static final List<SecretKeySpec> KEYS = Arrays.stream(setting("WEBHOOK_SECRETS").split("\\s+")).map(Receiver::readKey).toList();
  static final String SERVICE = setting("CREDIT_SERVICE_URL"), TENANT = setting("TENANT_ID");
  static final String FORM = "grant_type=client_credentials&client_id=" + encode(setting("CLIENT_ID")) + "&client_secret=" + encode(setting("CLIENT_SECRET"));
  static final Path FOLDER = Path.of(setting("REPORTS"));
  static final String ID = "[A-Za-z0-9_-]{1,100}";
  static final int BODY_BYTES_MAX = 65_536;
  static final HttpClient HTTP = HttpClient.newHttpClient();

  public static void main(String[] args) throws IOException {
    var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/credit-report-webhook", Receiver::answer);
    server.start();
  }

  static void answer(HttpExchange exchange) throws IOException {
    int status = 204;
    try {
      var body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
      var event = readEvent(exchange, body);
      if (event.type.equals("credit-report.completed") && !Files.exists(FOLDER.resolve(event.id + ".event"))) {
        var report = fetch(event.reportId);
        // Your database: the report and the event's id, in one transaction. "test" in it is true when the report is invented.
        store(event.reportId + ".json", report);
        store(event.id + ".event", "");
      }
    } catch (Refused refused) {
      System.err.println("credit report webhook: " + refused.getMessage());
      status = 400;
    } catch (Exception error) {
      System.err.println("credit report webhook: " + error);
      status = 503;
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  static Event readEvent(HttpExchange exchange, byte[] body) throws Exception {
    var headers = exchange.getRequestHeaders();
    var id = Objects.requireNonNullElse(headers.getFirst("webhook-id"), "");
    var sent = Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), "");
    var signatures = Objects.requireNonNullElse(headers.getFirst("webhook-signature"), "");
    if (!id.matches(ID) || !sent.matches("[0-9]{1,12}") || body.length > BODY_BYTES_MAX) throw new Refused("not an event");
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(sent)) > 300) throw new Refused("more than five minutes from this clock");
    boolean isGenuine = false;
    for (var key : KEYS) {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      mac.update((id + "." + sent + ".").getBytes(UTF_8));
      var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
      for (var given : signatures.split(" ")) isGenuine |= MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
    }
    if (!isGenuine) throw new Refused("the signature does not match");
    Object event;
    try { event = new Json(new String(body, UTF_8)).read(); } catch (IllegalArgumentException broken) { throw new Refused(broken.getMessage()); }
    if (!(at(event, "type") instanceof String type)) throw new Refused("no type");
    if (!type.equals("credit-report.completed")) return new Event(id, type, "");
    if (at(event, "data", "creditReportId") instanceof String reportId && reportId.matches(ID)) return new Event(id, type, reportId);
    throw new Refused("no creditReportId");
  }

  static String fetch(String reportId) throws Exception {
    var form = HttpRequest.BodyPublishers.ofString(FORM);
    var asked = request("/v1/oauth/token").header("Content-Type", "application/x-www-form-urlencoded").POST(form);
    var token = at(new Json(send(asked)).read(), "access_token");
    var report = send(request("/" + TENANT + "/v1/credit-reports/" + reportId).header("Authorization", "Bearer " + token));
    if (!"complete".equals(at(new Json(report).read(), "data", "status"))) throw new IOException("report " + reportId + " is not complete");
    return report;
  }

  /** The service waits ten seconds for this server: two calls of four. */
  static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(SERVICE + path)).timeout(Duration.ofSeconds(4));
  }

  static String send(HttpRequest.Builder request) throws Exception {
    var answer = HTTP.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) throw new IOException(answer.uri().getPath() + " answered " + answer.statusCode());
    return answer.body();
  }

  static void store(String name, String content) throws IOException {
    var part = FOLDER.resolve(name + ".part");
    Files.writeString(part, content);
    Files.move(part, FOLDER.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  static SecretKeySpec readKey(String secret) {
    try {
      var key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
      if (secret.startsWith("whsec_") && key.length >= 24) return new SecretKeySpec(key, "HmacSHA256");
    } catch (IllegalArgumentException notBase64) {}
    throw stop("WEBHOOK_SECRETS: each is whsec_ and the base64 of 24 bytes or more");
  }

  static String setting(String name) {
    var value = System.getenv().getOrDefault(name, "").strip();
    if (value.isEmpty()) throw stop(name + " is not set");
    return value;
  }

  static RuntimeException stop(String why) {
    System.err.println(why);
    System.exit(1);
    return new IllegalStateException(why);
  }

  static String encode(String text) { return URLEncoder.encode(text, UTF_8); }

  static Object at(Object value, String... path) {
    for (var name : path) value = value instanceof Map<?, ?> map ? map.get(name) : null;
    return value;
  }

  /** Reads JSON, because the JDK has no reader; your project's library takes its place. Numbers, true, false and null are left as text. */
  static class Json {
    private static final int DEPTH_MAX = 50;
    private final String text;
    private int place = 0;

    Json(String text) { this.text = text; }

    Object read() {
      var value = readValue(0);
      return next() == '\0' ? value : fail();
    }

    private Object readValue(int depth) {
      if (depth > DEPTH_MAX) return fail();
      return switch (next()) {
        case '{' -> readObject(depth);
        case '[' -> readArray(depth);
        case '"' -> readString();
        default -> readWord();
      };
    }

    private Object readObject(int depth) {
      var object = new HashMap<String, Object>();
      for (take('{'); next() != '}'; takeComma('}')) {
        var name = readString();
        take(':');
        object.put(name, readValue(depth + 1));
      }
      take('}');
      return object;
    }

    private Object readArray(int depth) {
      var array = new ArrayList<Object>();
      for (take('['); next() != ']'; takeComma(']')) array.add(readValue(depth + 1));
      take(']');
      return array;
    }

    private String readString() {
      take('"');
      var read = new StringBuilder();
      while (peek() != '"') {
        char each = peek();
        if (each < ' ') fail();
        place++;
        read.append(each == '\\' ? readEscape() : each);
      }
      place++;
      return read.toString();
    }

    private char readEscape() {
      char kind = peek();
      place++;
      if (kind == 'u') {
        var digits = text.substring(place, Math.min(place + 4, text.length()));
        place += 4;
        return digits.matches("[0-9A-Fa-f]{4}") ? (char) Integer.parseInt(digits, 16) : (char) fail();
      }
      int known = "\"\\/bfnrt".indexOf(kind);
      return known < 0 ? (char) fail() : "\"\\/\b\f\n\r\t".charAt(known);
    }

    private String readWord() {
      int start = place;
      while ("+-.0123456789Eaeflnrstu".indexOf(peek()) >= 0) place++;
      var word = text.substring(start, place);
      return word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([Ee][+-]?[0-9]+)?") ? word : (String) fail();
    }

    private void take(char wanted) {
      if (next() != wanted) fail();
      place++;
    }

    private void takeComma(char end) {
      if (next() == end) return;
      take(',');
      if (next() == end) fail();
    }

    private char next() {
      while (" \t\r\n".indexOf(peek()) >= 0) place++;
      return peek();
    }

    private char peek() { return place < text.length() ? text.charAt(place) : '\0'; }

    private Object fail() { throw new IllegalArgumentException("not JSON at " + place); }
  }
}
