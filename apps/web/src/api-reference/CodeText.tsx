/** Text with the parts between backticks as code. */
export const CodeText = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
