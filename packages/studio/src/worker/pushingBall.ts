import type { Collider, Vec3, World } from 'pliant';

/** A ball that pushes bodies. */
export interface Ball {
  centre: Vec3;
  radius: number;
}

/** The ball at the cursor, which pushes bodies (SPEC I2). */
export class PushingBall {
  private present: { collider: Collider; radius: number } | undefined;
  private wanted: Ball | undefined;

  constructor(private readonly world: World) {}

  /** Sets the ball, from the next step on; undefined removes it. */
  set(ball: Ball | undefined): void {
    const { world } = this;
    this.wanted = ball;
    if (this.present && this.present.radius !== ball?.radius) {
      if (world.colliders.includes(this.present.collider)) world.removeCollider(this.present.collider);
      this.present = undefined;
    }
    if (ball && !this.present) {
      const { centre, radius } = ball;
      const collider = world.addCollider({ type: 'sphere', centre, radius, friction: 0.3, exitSpeed: 2 });
      this.present = { collider, radius };
    }
    if (ball) this.present!.collider.moveTo(ball.centre);
  }

  /** After a step: the ball stays where it is wanted. */
  hold(): void {
    if (this.present && this.wanted) this.present.collider.moveTo(this.wanted.centre);
  }

  /** The world is in a past state, which has its own colliders. */
  forget(): void {
    this.present = this.wanted = undefined;
  }
}
