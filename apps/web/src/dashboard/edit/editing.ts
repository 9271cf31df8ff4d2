export { EditActions, EditStatus } from './EditActions.tsx'
export { EditChrome } from './EditChrome.tsx'
export { LayoutDrag } from './LayoutDrag.ts'
export { ResizeGrips } from './ResizeGrips.tsx'
