/** The operator of the benched installation, who makes contact centers. */
export const OPERATOR_TOKEN = 'bench-operator-0123456789abcdefghijklmnop'
