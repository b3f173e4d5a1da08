import { type Case, chunk, connections, head, inTurn } from "../Case.ts"
import { seconds, supabaseSignIn, zitadelSignIn } from "../World.ts"

/** The memory for requests of identity servers, whose signatures are of their bodies. */
export const hooksBodies: Case = {
  name: "bodies of identity hooks",
  questions: [supabaseSignIn, zitadelSignIn],
  hold: (world) => {
    const supabase = () =>
      head("/hooks/supabase", {
        "webhook-id": "1",
        "webhook-timestamp": seconds(),
        "webhook-signature": `v1,${"A".repeat(43)}=`
      })
    const zitadel = () => head("/hooks/zitadel", { "zitadel-signature": `t=${seconds()},v1=${"0".repeat(64)}` })
    return inTurn(
      () => connections(world, 100, () => supabase() + chunk(262_143)),
      () => connections(world, 100, () => zitadel() + chunk(262_143)),
      () => connections(world, 100, () => supabase() + chunk(1)),
      () => connections(world, 100, () => zitadel() + chunk(1))
    )
  }
}
