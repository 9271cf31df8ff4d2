/** Exit codes of the start contract. */
const exitCodes = { setting: 2, port: 3, home: 4, store: 5 } as const

/** A startup error: a message for the operator and the exit code of the contract. */
export class StartError extends Error {
  readonly exitCode: number
  constructor(kind: keyof typeof exitCodes, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'StartError'
    this.exitCode = exitCodes[kind]
  }
}
