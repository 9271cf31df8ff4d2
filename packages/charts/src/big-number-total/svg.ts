export { default } from '../shared/big-number-svg.ts'
