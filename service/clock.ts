/** The only way the service learns the time, so that a test can hold it still and the demo can move it. */
export type Clock = () => number
