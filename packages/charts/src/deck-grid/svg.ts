export { default } from '../shared/map/still.ts'
