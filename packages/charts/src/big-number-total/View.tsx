export { default } from '../shared/BigNumberView.tsx'
