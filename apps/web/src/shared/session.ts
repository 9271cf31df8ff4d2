/** Set while calls wait for the user to sign in again after the session ended. */
let waiting: { promise: Promise<boolean>; answer: (signedIn: boolean) => void } | null = null
const listeners = new Set<() => void>()
const notifyListeners = (): void => {
  for (const listener of listeners) listener()
}

/** Opens the sign-in dialog over the page, once for all failed calls; resolves to true when the user signed in again. */
export function requestSignIn(): Promise<boolean> {
  if (!waiting) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting = {
      promise,
      answer: (signedIn) => {
        waiting = null
        notifyListeners()
        resolve(signedIn)
      },
    }
    notifyListeners()
  }
  return waiting.promise
}

export const resolveSignIn = (signedIn: boolean): void => waiting?.answer(signedIn)
export const isSessionOver = (): boolean => waiting !== null
export const subscribeSession = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
