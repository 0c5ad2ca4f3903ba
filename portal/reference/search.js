// Ranks what the search of the reference finds. Written for browsers as it is: there is nothing to build.

/** Points for a word in that place, and for one that only begins so. */
const PLACES = [
  ['title', 8, 6],
  ['names', 4, 3],
  ['words', 2, 1],
]
/** Points for a title that begins as typed. */
const BEGINS = 20

/** The entries that have every word that was typed, the best first. A word counts as soon as one begins with it. */
export function rank(entries, typed) {
  const wanted = wordsOf(typed)
  return entries
    .map((entry) => ({ entry, points: pointsOf(entry, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ entry }) => entry)
}

function pointsOf({ title, names, words }, wanted) {
  const places = { title: wordsOf(title), names, words }
  const points = wanted.map((word) => Math.max(...PLACES.map((place) => pointsIn(places, place, word))))
  if (points.length === 0 || points.includes(0)) return 0
  const begins = places.title.join(' ').startsWith(wanted.join(' '))
  return points.reduce((sum, each) => sum + each, begins ? BEGINS : 0)
}

function pointsIn(places, [place, whole, beginning], word) {
  if (places[place].includes(word)) return whole
  return places[place].some((each) => each.startsWith(word)) ? beginning : 0
}

function wordsOf(text) {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
