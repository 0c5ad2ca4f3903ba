// Reads a page or a file of the console whole, again and again until it is killed: a line of milliseconds for each.
const [url = '', cookie = ''] = process.argv.slice(2)
for (;;) {
  const beganMs = performance.now()
  const answer = await fetch(url, { headers: { Accept: 'text/html', Cookie: cookie }, redirect: 'manual' })
  if (answer.status !== 200 || answer.body === null) throw new Error(`${url} was answered ${answer.status}`)
  for await (const _ of answer.body);
  console.log(performance.now() - beganMs)
}
