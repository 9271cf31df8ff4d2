export * from './archive.ts'
export * from './bundle.ts'
export * from './folder.ts'
export * from './yaml.ts'
