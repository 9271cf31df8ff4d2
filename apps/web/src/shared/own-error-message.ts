import { boot } from './boot.ts'

/** ERR-003: the sentence that the operator of this installation chose for an error type (`ERROR_MESSAGES`). */
export function ownErrorMessage(errorType: string | undefined): string | undefined {
  const sentences = boot.common.conf['ERROR_MESSAGES'] as Record<string, string> | undefined
  return errorType !== undefined && sentences && Object.hasOwn(sentences, errorType) ? sentences[errorType] : undefined
}
