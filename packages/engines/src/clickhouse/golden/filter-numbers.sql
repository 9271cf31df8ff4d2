SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE "Cylinders" IN ({p1:Int64}, {p2:Int64}, {p3:Int64})
  AND "Acceleration" >= {p4:Float64}
  AND toString("Weight_in_lbs") LIKE {p5:String}
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- [4,6,8,15.5,"3%"]
