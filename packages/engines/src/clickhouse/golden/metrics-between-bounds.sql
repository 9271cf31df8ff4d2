SELECT COUNT(CASE WHEN "Horsepower" < 92.5 THEN "Horsepower" END) AS "low_4f516a81",
       COUNT(CASE WHEN "Horsepower" >= 92.5 AND "Horsepower" < 138 THEN "Horsepower" END) AS "middle_c982a718",
       COUNT(CASE WHEN "Horsepower" >= 138 THEN "Horsepower" END) AS "high_3dddb9fd",
       MAX(CASE WHEN "Horsepower" >= 92.5 AND "Horsepower" < 138 THEN "Horsepower" END) AS "most of the middle_62237ed1"
FROM "cars"
LIMIT 50000;
-- []
