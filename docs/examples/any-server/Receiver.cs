// POST /credit-report-webhook: verify the event, fetch the report, store it, then answer 204. After any other answer the
// service sends the event again, for three days. No library. .NET 8 or newer: `dotnet run` in a console project with this
// file. Mono: `mcs -r:System.Net.Http,System.Runtime.Serialization Receiver.cs && mono Receiver.exe`.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

// Not an event of the service: a repeat would not change that.
class Refused : Exception { public Refused(string why) : base(why) { } }

[DataContract] class Event { [DataMember(Name = "type")] public string Type; [DataMember(Name = "data")] public About Data; }
[DataContract] class About { [DataMember(Name = "creditReportId")] public string ReportId; }
[DataContract] class Token { [DataMember(Name = "access_token")] public string Value; }
[DataContract] class Answer { [DataMember(Name = "data")] public State Data; }
[DataContract] class State { [DataMember(Name = "status")] public string Status; }

static class Receiver
{
  // "whsec_…", shown once when the webhook was added; two, with a space between, while you replace one.
  static readonly List<byte[]> Keys = Regex.Split(Setting("WEBHOOK_SECRETS"), "\\s+").Select(ReadKey).ToList();
  static readonly string Service = Setting("CREDIT_SERVICE_URL"), Tenant = Setting("TENANT_ID"), Folder = Setting("REPORTS");
  static readonly Dictionary<string, string> Form = new Dictionary<string, string>
  {
    ["grant_type"] = "client_credentials", ["client_id"] = Setting("CLIENT_ID"), ["client_secret"] = Setting("CLIENT_SECRET"),
  };
  const string Id = "^[A-Za-z0-9_-]{1,100}\\z";
  const int BodyBytesMax = 65536;
  // The service waits ten seconds for this server: two calls of four.
  static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(4) };

  static void Main()
  {
    var listener = new HttpListener();
    listener.Prefixes.Add("http://127.0.0.1:" + (Environment.GetEnvironmentVariable("PORT") ?? "3000") + "/");
    listener.Start();
    while (true)
    {
      var context = listener.GetContext();
      Task.Run(() => Respond(context));
    }
  }

  static async Task Respond(HttpListenerContext context)
  {
    int status;
    try { status = await Take(context.Request); }
    catch (Refused refused) { status = Say(400, refused.Message); }
    catch (Exception error) { status = Say(503, error.ToString()); }
    try { context.Response.StatusCode = status; context.Response.Close(); } catch (Exception) { /* the service has gone, and sends it again */ }
  }

  static async Task<int> Take(HttpListenerRequest request)
  {
    if (request.HttpMethod != "POST" || request.Url.AbsolutePath != "/credit-report-webhook") return 404;
    var id = request.Headers["webhook-id"] ?? "";
    var found = ReadEvent(request, id, ReadBody(request.InputStream));
    if (found.Type != "credit-report.completed" || File.Exists(Path.Combine(Folder, id + ".event"))) return 204;
    var report = await Fetch(found.Data.ReportId);
    // Your database: the report and the event's id, in one transaction. "test" in it is true when the report is invented.
    Store(found.Data.ReportId + ".json", report);
    Store(id + ".event", "");
    return 204;
  }

  static Event ReadEvent(HttpListenerRequest request, string id, byte[] body)
  {
    var sent = request.Headers["webhook-timestamp"] ?? "";
    var signatures = (request.Headers["webhook-signature"] ?? "").Split(' ');
    if (!Regex.IsMatch(id, Id) || !Regex.IsMatch(sent, "^[0-9]{1,12}\\z")) throw new Refused("not an event");
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(sent)) > 300) throw new Refused("more than five minutes from this clock");
    var signed = Encoding.UTF8.GetBytes(id + "." + sent + ".").Concat(body).ToArray();
    var isGenuine = false;
    foreach (var key in Keys)
      using (var mac = new HMACSHA256(key))
      {
        var expected = "v1," + Convert.ToBase64String(mac.ComputeHash(signed));
        foreach (var given in signatures) isGenuine |= IsSame(expected, given);
      }
    if (!isGenuine) throw new Refused("the signature does not match");
    Event read;
    try { read = Read<Event>(body); } catch (Exception broken) { throw new Refused("not JSON: " + broken.Message); }
    if (read == null || read.Type == null) throw new Refused("no type");
    if (read.Type == "credit-report.completed" && !Regex.IsMatch(read.Data?.ReportId ?? "", Id)) throw new Refused("no creditReportId");
    return read;
  }

  static async Task<string> Fetch(string reportId)
  {
    var asked = new HttpRequestMessage(HttpMethod.Post, Service + "/v1/oauth/token") { Content = new FormUrlEncodedContent(Form) };
    var token = Read<Token>(Encoding.UTF8.GetBytes(await Send(asked))).Value;
    var reading = new HttpRequestMessage(HttpMethod.Get, Service + "/" + Tenant + "/v1/credit-reports/" + reportId);
    reading.Headers.Add("Authorization", "Bearer " + token);
    var report = await Send(reading);
    if (Read<Answer>(Encoding.UTF8.GetBytes(report)).Data?.Status != "complete") throw new IOException("report " + reportId + " is not complete");
    return report;
  }

  static async Task<string> Send(HttpRequestMessage request)
  {
    using (var answer = await Http.SendAsync(request))
    {
      if (!answer.IsSuccessStatusCode) throw new IOException(request.RequestUri.AbsolutePath + " answered " + (int)answer.StatusCode);
      return Encoding.UTF8.GetString(await answer.Content.ReadAsByteArrayAsync());
    }
  }

  static byte[] ReadBody(Stream stream)
  {
    var body = new MemoryStream();
    var part = new byte[8192];
    for (int count; (count = stream.Read(part, 0, part.Length)) > 0; body.Write(part, 0, count))
      if (body.Length + count > BodyBytesMax) throw new Refused("too large");
    return body.ToArray();
  }

  static T Read<T>(byte[] json) where T : class
  {
    // The serializer closes by itself what was cut off.
    var (depth, isText) = (0, false);
    for (var i = 0; i < json.Length; i++)
    {
      var each = (char)json[i];
      if (isText && each == '\\') i++;
      else if (each == '"') isText = !isText;
      else if (!isText) depth += each == '{' || each == '[' ? 1 : each == '}' || each == ']' ? -1 : 0;
    }
    if (depth != 0 || isText) throw new FormatException("cut off");
    return (T)new DataContractJsonSerializer(typeof(T)).ReadObject(new MemoryStream(json));
  }

  static void Store(string name, string content)
  {
    var place = Path.Combine(Folder, name);
    File.WriteAllText(place + ".part", content);
    if (File.Exists(place)) File.Replace(place + ".part", place, null); else File.Move(place + ".part", place);
  }

  // Takes as long for a signature that is nearly right as for any other.
  static bool IsSame(string expected, string given)
  {
    if (expected.Length != given.Length) return false;
    var difference = 0;
    for (var i = 0; i < expected.Length; i++) difference |= expected[i] ^ given[i];
    return difference == 0;
  }

  static byte[] ReadKey(string secret)
  {
    try
    {
      var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : "");
      if (key.Length >= 24) return key;
    }
    catch (FormatException) { /* not base64 */ }
    throw Stop("WEBHOOK_SECRETS: each is whsec_ and the base64 of 24 bytes or more");
  }

  static string Setting(string name)
  {
    var value = (Environment.GetEnvironmentVariable(name) ?? "").Trim();
    return value != "" ? value : throw Stop(name + " is not set");
  }

  static Exception Stop(string why)
  {
    Console.Error.WriteLine(why);
    Environment.Exit(1);
    return new InvalidOperationException(why);
  }

  static int Say(int status, string why)
  {
    Console.Error.WriteLine("credit report webhook: " + why);
    return status;
  }
}
