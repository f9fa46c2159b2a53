/** The same text for a link that never existed, has ended, or was revoked. */
export default function ShareNotFound() {
  return (
    <div className="page">
      <title>Not found</title>
      <h1 className="page-title">This link does not work</h1>
      <p>It was mistyped, has expired, or was revoked. Ask the sender for a new one.</p>
    </div>
  )
}
