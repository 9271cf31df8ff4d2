import { execFile } from 'node:child_process'

/**
 * Runs a program of a client.
 * @param input  text for its standard input
 * @returns its standard output
 * @throws Error with the end of its output, if its exit code is not one of `successCodes`
 */
export function runProgram(
  program: string,
  args: readonly string[],
  {
    cwd,
    env,
    input = '',
    seconds = 120,
    successCodes = [0],
  }: { cwd: string; env?: Record<string, string>; input?: string; seconds?: number; successCodes?: readonly number[] },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: seconds * 1000, maxBuffer: 64 * 2 ** 20 }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error && !successCodes.includes(Number(error.code)))
        reject(new Error(`${error.message.split('\n')[0]}\n${stdout.slice(-3000)}\n${stderr.slice(-3000)}`))
      else resolve(stdout)
    })
    child.stdin?.end(input)
  })
}
