import { contractBillsStatement } from './contract-bills.server'
import { globalDetailsStatement } from './global-details.server'
import { globalSummaryStatement } from './global-summary.server'
import { holdingStatement } from './holding.server'
import { positionStatement } from './position.server'
import { type Statement } from './statement.server'

/** The key is the name in the address: /reports/holding. */
const statements: Record<string, Statement> = Object.fromEntries(
	[holdingStatement, positionStatement, globalSummaryStatement, globalDetailsStatement, contractBillsStatement].map((statement) => [
		statement.name,
		statement,
	]),
)

/** Returns the statement with this name. Throws a 404 for any other name (also for `toString`). */
export function requireStatement(name: string | undefined): Statement {
	const statement = name !== undefined && Object.hasOwn(statements, name) ? statements[name] : undefined
	if (!statement) throw new Response('There is no such report.', { status: 404 })
	return statement
}
