// Sections of a report that few people open, a chunk of its own with words of its own. It is handed plain data and
// imports nothing of the report.
import helpCss from './help.css?inline'

export { Glossary } from './glossary.tsx'
export { AccountLetter, SearchLetter } from './letter.tsx'
export { SomethingWrong } from './something-wrong.tsx'
export { helpStrings } from './strings.ts'
export { helpCss }
