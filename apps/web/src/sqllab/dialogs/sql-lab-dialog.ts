/** A dialog over the page, with its subject. */
export type SqlLabDialog =
  | { name: 'rename'; tabId: string }
  | { name: 'limit'; tabId: string }
  | { name: 'save'; tabId: string; asNew: boolean }
  | { name: 'schedule'; tabId: string; sql: string }
  | { name: 'createAs'; tabId: string; sql: string; from: number; method: 'TABLE' | 'VIEW' }
  | { name: 'dataset'; dbId: number; schema: string | null; sql: string }
  | { name: 'cost'; tabId: string; sql: string }
