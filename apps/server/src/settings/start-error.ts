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

/** Collects what is wrong with settings, so that one start reports all of it. */
export class SettingErrors {
  readonly #found: StartError[] = []

  add(text: string, cause?: unknown): void {
    this.#found.push(new StartError('setting', text, { cause }))
  }

  /** Returns undefined and collects the error if a setting cannot be read. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      this.#found.push(error)
      return undefined
    }
  }

  /** @throws StartError with exit code 2 and one line for each wrong setting */
  throwIfAny(): void {
    const [first, ...others] = this.#found
    if (!first) return
    const text = [first, ...others].map(({ message }) => message).join('\n')
    throw new StartError('setting', text, { cause: first.cause })
  }
}
