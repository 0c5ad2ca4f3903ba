type Files = [file: string, seconds: number][]
type Suite = {
  file: string
  suites?: Suite[]
  specs?: { tests: { results: { duration: number }[] }[] }[]
}
export function readUnitRun(
  run: { testResults: { name: string; startTime: number; endTime: number }[] },
  root: string,
): Files
export function readBrowserRun(run: { suites: Suite[] }): Files
export function describeSlowest(files: Files): string
