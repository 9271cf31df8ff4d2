export * from './follow-pointer.ts'
export * from './use-drag.ts'
