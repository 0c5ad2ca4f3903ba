/** As much of `Headers` as is needed to read a request. */
export type HeaderReader = Pick<Headers, 'get'>
