export * from './frame.ts'
