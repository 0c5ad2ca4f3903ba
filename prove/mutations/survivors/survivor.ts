/** By the path of the file: a change, named by the line it stands in, that no test can notice, and why. */
export type Survivors = { readonly [file: string]: readonly { source: string; change: string; why: string }[] }

export const ONLY_POSTGRES = 'Only PostgreSQL differs, whose tests this run leaves out.'
export const ONLY_LOGGED = 'Only a line of the log differs.'
